/* A directed graph: a list of vertices with different names, each with a list of
 * its own edges. An edge leads to a vertex of the graph, no two from one vertex to
 * the same. */
#include "visited.h"

#include <stdlib.h>

#ifndef MUTANT
#define MUTANT 0
#endif

struct Edge {
    struct Vertex *to;
    struct Edge *next;
};

struct Vertex {
    int name;
    struct Edge *edges;
    struct Vertex *next;
};

struct Graph {
    struct Vertex *vertices;
    int size;
};

static bool edgesAreOk(const struct Vertex *from, const struct Visited *vertices,
                       struct Visited *edges) {
    struct Visited targets;
    targets.count = 0;
    for (const struct Edge *edge = from->edges; edge != NULL; edge = edge->next)
        if (!visit(edges, edge) || !wasVisited(vertices, edge->to) || !visit(&targets, edge->to))
            return false;
    return true;
}

static bool namesDiffer(const struct Graph *graph) {
    bool differ = true;
    for (const struct Vertex *one = graph->vertices; one != NULL; one = one->next)
        for (const struct Vertex *other = one->next; other != NULL; other = other->next)
            differ &= one->name != other->name;
    return differ;
}

bool repOk(const struct Graph *graph) {
    struct Visited vertices, edges;
    vertices.count = 0;
    edges.count = 0;
    for (const struct Vertex *vertex = graph->vertices; vertex != NULL; vertex = vertex->next)
        if (!visit(&vertices, vertex))
            return false;
    for (const struct Vertex *vertex = graph->vertices; vertex != NULL; vertex = vertex->next)
        if (!edgesAreOk(vertex, &vertices, &edges))
            return false;
    bool differ = namesDiffer(graph);
    return (graph->size == vertices.count) & differ;
}

static struct Vertex *find(const struct Graph *graph, int name) {
    struct Vertex *vertex = graph->vertices;
    while (vertex != NULL && vertex->name != name)
        vertex = vertex->next;
    return vertex;
}

/* False when there is a vertex of that name, or no memory. */
bool addVertex(struct Graph *graph, int name) {
    if (find(graph, name) != NULL)
        return false;
    struct Vertex *vertex = malloc(sizeof *vertex);
    if (vertex == NULL)
        return false;
    vertex->name = name;
    vertex->edges = NULL;
    vertex->next = graph->vertices;
    graph->vertices = vertex;
#if MUTANT != 1
    graph->size++;
#endif
    return true;
}

/* False when one of the vertices is missing, the edge is there, or no memory. */
bool addEdge(struct Graph *graph, int from, int to) {
    struct Vertex *source = find(graph, from), *target = find(graph, to);
    if (source == NULL || target == NULL)
        return false;
    for (const struct Edge *edge = source->edges; edge != NULL; edge = edge->next)
#if MUTANT == 2
        if (edge->to == source)
            return false;
#else
        if (edge->to == target)
            return false;
#endif
    struct Edge *edge = malloc(sizeof *edge);
    if (edge == NULL)
        return false;
    edge->to = target;
    edge->next = source->edges;
    source->edges = edge;
    return true;
}
