/* A hash table with open addressing in an array of its own: no key is there twice, from
 * the place where a key belongs to where it is all slots are used, and the table knows how
 * many are. */
#include <stdbool.h>
#include <stddef.h>

#ifndef MUTANT
#define MUTANT 0
#endif

struct Slot {
    unsigned key;
    bool used;
};

struct Table {
    struct Slot *slots;
    unsigned capacity, count;
};

static bool isReached(const struct Table *table, unsigned at) {
    for (unsigned i = table->slots[at].key % table->capacity; i != at;
         i = (i + 1) % table->capacity)
        if (!table->slots[i].used)
            return false;
    return true;
}

bool repOk(const struct Table *table) {
    unsigned used = 0;
    for (unsigned i = 0; i < table->capacity; i++) {
        if (!table->slots[i].used)
            continue;
        used++;
        if (!isReached(table, i))
            return false;
        for (unsigned k = 0; k < i; k++)
            if (table->slots[k].used && table->slots[k].key == table->slots[i].key)
                return false;
    }
    return used == table->count;
}

/* Where a key is or would be put; none if it is not there and the table is full. */
static struct Slot *find(const struct Table *table, unsigned key) {
    for (unsigned i = 0; i < table->capacity; i++) {
        struct Slot *slot = &table->slots[(key + i) % table->capacity];
        if (!slot->used || slot->key == key)
            return slot;
    }
    return NULL;
}

bool insert(struct Table *table, unsigned key) {
#if MUTANT == 1
    struct Slot *slot = table->capacity ? &table->slots[key % table->capacity] : NULL;
    while (slot != NULL && slot->used && slot->key != key)
        slot++;
#else
    struct Slot *slot = find(table, key);
#endif
    if (slot == NULL)
        return false;
#if MUTANT == 2
    table->count++;
#else
    table->count += !slot->used;
#endif
    slot->key = key;
    slot->used = true;
    return true;
}

bool contains(const struct Table *table, unsigned key) {
    const struct Slot *slot = find(table, key);
    return slot != NULL && slot->used;
}
