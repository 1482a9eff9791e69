#include "../../examples/staged/lib/graph.c"
#include "check.h"

int main(void) {
    struct Graph graph = {NULL, 0};
    CHECK(repOk(&graph));
    for (int i = 0; i < 30; i++) {
        CHECK(addVertex(&graph, i) && graph.size == i + 1 && repOk(&graph));
        CHECK(!addVertex(&graph, arbitrary(i + 1)));
        CHECK(!addEdge(&graph, i, i + 1) && !addEdge(&graph, i + 1, i));
    }
    int edges = 0;
    for (int i = 0; i < 250; i++) {
        edges += addEdge(&graph, arbitrary(30), arbitrary(30));
        CHECK(repOk(&graph));
    }
    for (const struct Vertex *vertex = graph.vertices; vertex != NULL; vertex = vertex->next)
        for (const struct Edge *edge = vertex->edges; edge != NULL; edge = edge->next)
            edges--;
    CHECK(edges == 0);

    struct Vertex outside = {3, NULL, NULL}, second = {2, NULL, NULL}, first = {1, NULL, &second};
    struct Edge edge = {&second, NULL}, other = {&second, NULL};
    struct Graph small = {&first, 2};
    first.edges = &edge;
    CHECK(repOk(&small));
    edge.to = &outside;
    CHECK(!repOk(&small));
    edge.to = NULL;
    CHECK(!repOk(&small));
    edge.to = &second;
    edge.next = &other;
    CHECK(!repOk(&small));
    edge.next = &edge;
    CHECK(!repOk(&small));
    edge.next = NULL;
    second.edges = &edge;
    CHECK(!repOk(&small));
    second.edges = NULL;
    second.name = 1;
    CHECK(!repOk(&small));
    second.name = 2;
    small.size = 1;
    CHECK(!repOk(&small));
    small.size = 2;
    second.next = &first;
    CHECK(!repOk(&small));
}
