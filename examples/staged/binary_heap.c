/* A binary heap in an array and what can be done with it.
 *
 *     everypath stage build examples/staged/binary_heap.c \
 *         --object BinaryHeap --invariant repOk --range BinaryHeap.size=0..8 -o heap.stage
 *     everypath stage run examples/staged/binary_heap.c --method add --input heap.stage
 *
 * -DMUTANT=1 to 6 puts a mistake into `add`. */
#include "lib/heap_array.c"

/* False when the heap is full. */
bool add(struct BinaryHeap *heap, int data) {
    if (heap->size == CAPACITY)
        return false;
    int hole = heap->size;
#if MUTANT != 6
    heap->size++;
#endif
#if MUTANT == 1
    while (hole > 0 && data > heap->data[parentOf(hole)]) {
#elif MUTANT == 2
    while (hole > 1 && data < heap->data[parentOf(hole)]) {
#elif MUTANT == 3
    if (hole > 0 && data < heap->data[parentOf(hole)]) {
#else
    while (hole > 0 && data < heap->data[parentOf(hole)]) {
#endif
#if MUTANT == 5
        heap->data[hole] = heap->data[0];
#elif MUTANT != 4
        heap->data[hole] = heap->data[parentOf(hole)];
#endif
        hole = parentOf(hole);
    }
    heap->data[hole] = data;
    return true;
}

/* What has been added is there. A heap that did not count it (mutant 6) satisfies
 * the invariant, so that only this tells. */
bool addPost(const struct BinaryHeap *heap, int data, bool added) {
    bool found = false;
    for (int i = 0; i < heap->size; i++)
        found |= heap->data[i] == data;
    return found | !added;
}

/* Removes the least element; false when there is none. */
bool removeLeast(struct BinaryHeap *heap) {
    if (heap->size == 0)
        return false;
    heap->size--;
    int data = heap->data[heap->size];
    int hole = 0;
    while (2 * hole + 1 < heap->size) {
        int child = 2 * hole + 1;
        if (child + 1 < heap->size && heap->data[child + 1] < heap->data[child])
            child++;
        if (data <= heap->data[child])
            break;
        heap->data[hole] = heap->data[child];
        hole = child;
    }
    heap->data[hole] = data;
    return true;
}
