/* Ascending values in the structure that counts them, which is as large as its room. */
#include <stdbool.h>

#ifndef MUTANT
#define MUTANT 0
#endif

struct Row {
    unsigned capacity, count;
    int values[];
};

bool repOk(const struct Row *row) {
    if (row->count > row->capacity)
        return false;
    for (unsigned i = 1; i < row->count; i++)
        if (row->values[i - 1] > row->values[i])
            return false;
    return true;
}

bool insert(struct Row *row, int value) {
#if MUTANT == 1
    if (row->count > row->capacity)
#else
    if (row->count == row->capacity)
#endif
        return false;
    unsigned at = row->count++;
#if MUTANT == 2
    for (; at > 1 && row->values[at - 1] > value; at--)
#else
    for (; at > 0 && row->values[at - 1] > value; at--)
#endif
        row->values[at] = row->values[at - 1];
    row->values[at] = value;
    return true;
}

int last(const struct Row *row) {
    return row->count > 0 ? row->values[row->count - 1] : 0;
}
