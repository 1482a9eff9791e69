/* Slots of one array; those that are free hang together in a list. */
#include "visited.h"

#include <stddef.h>

#ifndef MUTANT
#define MUTANT 0
#endif

enum { SLOTS = 3 };

struct Slot {
    struct Slot *next;
    int value;
};

struct Pool {
    struct Slot *free;
    struct Slot slots[SLOTS];
    int available;
};

bool repOk(const struct Pool *pool) {
    struct Visited visited;
    visited.count = 0;
    for (const struct Slot *at = pool->free; at != NULL; at = at->next)
        if (!visit(&visited, at))
            return false;
    return visited.count == pool->available;
}

/* A slot that was free; null if there is none. */
struct Slot *acquire(struct Pool *pool) {
    struct Slot *slot = pool->free;
    if (slot == NULL)
        return NULL;
#if MUTANT == 1
    pool->free = slot + 1;
#else
    pool->free = slot->next;
#endif
#if MUTANT != 2
    pool->available--;
#endif
    return slot;
}
