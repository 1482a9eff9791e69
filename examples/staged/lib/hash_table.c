/* A hash table with chaining: every entry is in the chain of its key's bucket, no
 * key is there twice, and the table knows the number of entries. */
#include "visited.h"

#include <stdlib.h>

#ifndef MUTANT
#define MUTANT 0
#endif

enum { BUCKETS = 4 };

struct Entry {
    int key;
    int value;
    struct Entry *next;
};

struct HashTable {
    struct Entry *buckets[BUCKETS];
    int size;
};

static int bucketOf(int key) {
    return (int)((unsigned)key % BUCKETS);
}

static bool isFirstOfItsKey(const struct Entry *entry, const struct Entry *chain) {
    bool first = true;
    for (; chain != entry; chain = chain->next)
        first &= chain->key != entry->key;
    return first;
}

bool repOk(const struct HashTable *table) {
    struct Visited visited;
    visited.count = 0;
    bool placed = true;
    for (int i = 0; i < BUCKETS; i++) {
        const struct Entry *chain = table->buckets[i];
        for (const struct Entry *entry = chain; entry != NULL; entry = entry->next) {
            if (!visit(&visited, entry))
                return false;
            placed &= bucketOf(entry->key) == i;
            placed &= isFirstOfItsKey(entry, chain);
        }
    }
    return (table->size == visited.count) & placed;
}

/* Where the key's entry hangs, or would. */
static struct Entry **find(struct HashTable *table, int key) {
#if MUTANT == 1
    struct Entry **place = &table->buckets[key & 1];
#else
    struct Entry **place = &table->buckets[bucketOf(key)];
#endif
    while (*place != NULL && (*place)->key != key)
        place = &(*place)->next;
    return place;
}

/* Sets the key's value; false when there is no memory. */
bool put(struct HashTable *table, int key, int value) {
    struct Entry **place = find(table, key);
    if (*place == NULL) {
        *place = malloc(sizeof **place);
        if (*place == NULL)
            return false;
        (*place)->key = key;
        (*place)->next = NULL;
        table->size++;
    }
    (*place)->value = value;
    return true;
}

/* False when the key is not there. */
bool removeKey(struct HashTable *table, int key) {
    struct Entry **place = find(table, key);
    struct Entry *removed = *place;
    if (removed == NULL)
        return false;
    *place = removed->next;
    free(removed);
#if MUTANT != 2
    table->size--;
#endif
    return true;
}
