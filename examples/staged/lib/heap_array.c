/* A binary heap in an array: every element is at least its parent's value, so the
 * least is in front. The methods are in ../binary_heap.c. */
#include <stdbool.h>

#ifndef CAPACITY
#define CAPACITY 16
#endif

struct BinaryHeap {
    int size;
    int data[CAPACITY];
};

static int parentOf(int index) {
    return (index - 1) / 2;
}

/* One path for every size: counting up to it settles which one it is, and the
 * order is gathered without a branch. */
bool repOk(const struct BinaryHeap *heap) {
    bool ordered = true;
    for (int i = 0; i != heap->size; i++) {
        if (i == CAPACITY)
            return false;
        if (i > 0)
            ordered &= heap->data[parentOf(i)] <= heap->data[i];
    }
    return ordered;
}
