/* A binary heap in an array of its own: no value is greater than the one above it. */
#include <stdbool.h>

#ifndef MUTANT
#define MUTANT 0
#endif

struct Heap {
    int *values;
    unsigned capacity, size;
};

bool repOk(const struct Heap *heap) {
    if (heap->size > heap->capacity)
        return false;
    bool ordered = true;
    for (unsigned i = 1; i < heap->size; i++)
        ordered &= heap->values[i] <= heap->values[(i - 1) / 2];
    return ordered;
}

static void swap(int *one, int *other) {
    int value = *one;
    *one = *other;
    *other = value;
}

bool push(struct Heap *heap, int value) {
    if (heap->size == heap->capacity)
        return false;
    unsigned at = heap->size++;
    heap->values[at] = value;
#if MUTANT == 1
    if (at > 0 && heap->values[(at - 1) / 2] < heap->values[at])
        swap(&heap->values[(at - 1) / 2], &heap->values[at]);
#else
    for (; at > 0 && heap->values[(at - 1) / 2] < heap->values[at]; at = (at - 1) / 2)
        swap(&heap->values[(at - 1) / 2], &heap->values[at]);
#endif
    return true;
}

bool pop(struct Heap *heap, int *value) {
    if (heap->size == 0)
        return false;
    *value = heap->values[0];
    heap->values[0] = heap->values[--heap->size];
    for (unsigned at = 0;;) {
        unsigned child = 2 * at + 1;
        if (child >= heap->size)
            return true;
#if MUTANT != 2
        if (child + 1 < heap->size && heap->values[child] < heap->values[child + 1])
            child++;
#endif
        if (heap->values[at] >= heap->values[child])
            return true;
        swap(&heap->values[at], &heap->values[child]);
        at = child;
    }
}
