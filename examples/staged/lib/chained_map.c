/* A hash table whose chains hang in an array of any length: every entry is in the chain of
 * its key, and no chain has an entry of another. */
#include "visited.h"

#include <stdlib.h>

#ifndef MUTANT
#define MUTANT 0
#endif

struct Entry {
    unsigned key;
    struct Entry *next;
};

struct Map {
    struct Entry **chains;
    unsigned count;
};

bool repOk(const struct Map *map) {
    struct Visited visited;
    visited.count = 0;
    if (map->count == 0)
        return false;
    bool placed = true;
    for (unsigned i = 0; i < map->count; i++)
        for (const struct Entry *at = map->chains[i]; at != NULL; at = at->next) {
            if (!visit(&visited, at))
                return false;
            placed &= at->key % map->count == i;
        }
    return placed;
}

bool put(struct Map *map, unsigned key) {
#if MUTANT == 1
    struct Entry **place = &map->chains[0];
#else
    struct Entry **place = &map->chains[key % map->count];
#endif
    while (*place != NULL)
        place = &(*place)->next;
    *place = malloc(sizeof **place);
    if (*place == NULL)
        return false;
    (*place)->key = key;
    (*place)->next = NULL;
    return true;
}

/* Gives every entry its place in an array that is twice as long. */
bool grow(struct Map *map) {
    unsigned count = 2 * map->count;
    struct Entry **chains = calloc(count, sizeof *chains);
    if (chains == NULL)
        return false;
    for (unsigned i = 0; i < map->count; i++)
        for (struct Entry *at = map->chains[i], *next; at != NULL; at = next) {
            next = at->next;
#if MUTANT == 2
            at->next = chains[i];
            chains[i] = at;
#else
            at->next = chains[at->key % count];
            chains[at->key % count] = at;
#endif
        }
    free(map->chains);
    map->chains = chains;
    map->count = count;
    return true;
}
