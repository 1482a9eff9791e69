/* The nodes an invariant has met on its way through an object graph.
 *
 * Any pointer of an object under test may lead anywhere, back to where one came
 * from included, so an invariant asks of every node whether it has been there:
 * that ends walks round a cycle and finds nodes shared between two places. */
#ifndef VISITED_H
#define VISITED_H

#include <stdbool.h>

enum { MOST_VISITED = 256 };

struct Visited {
    int count;
    const void *nodes[MOST_VISITED];
};

static inline bool wasVisited(const struct Visited *visited, const void *node) {
    for (int i = 0; i < visited->count; i++)
        if (visited->nodes[i] == node)
            return true;
    return false;
}

/* False when `node` was met before, or when there are too many to remember. */
static inline bool visit(struct Visited *visited, const void *node) {
    if (visited->count == MOST_VISITED || wasVisited(visited, node))
        return false;
    visited->nodes[visited->count++] = node;
    return true;
}

#endif
