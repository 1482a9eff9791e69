/* Binary heaps by brute force: how many there are, and what `add` and
 * `removeLeast` do to each of them.
 * mutants: 6 */
#define CAPACITY 9
#include "../../examples/staged/binary_heap.c"
#include "check.h"

enum { MOST_ELEMENTS = 8, VALUES = 3 };

static int occurrences(const struct BinaryHeap *heap, int data) {
    int times = 0;
    for (int i = 0; i < heap->size; i++)
        times += heap->data[i] == data;
    return times;
}

static int invariantBroken, postconditionBroken;

static void tryAdd(const struct BinaryHeap *heap) {
    for (int data = -1; data <= VALUES; data++) {
        struct BinaryHeap after = *heap;
        bool added = add(&after, data);
        CHECK(added);
        if (!repOk(&after))
            invariantBroken++;
        else if (!addPost(&after, data, added))
            postconditionBroken++;
    }
}

static void tryRemove(const struct BinaryHeap *heap) {
    struct BinaryHeap after = *heap;
    CHECK(removeLeast(&after) == (heap->size > 0));
    CHECK(repOk(&after));
    for (int data = 0; data < VALUES; data++)
        CHECK(occurrences(&after, data)
              == occurrences(heap, data) - (heap->size > 0 && data == heap->data[0]));
}

/* All arrays of up to 8 elements. What lies behind them in the array is no part of
 * the heap and may be anything, here -1. */
static void countHeaps(void) {
    int heaps = 0, candidates = 1;
    for (int size = 0; size <= MOST_ELEMENTS; size++, candidates *= VALUES)
        for (int candidate = 0; candidate < candidates; candidate++) {
            struct BinaryHeap heap = {.size = size};
            int rest = candidate;
            for (int i = 0; i < CAPACITY; i++) {
                heap.data[i] = i < size ? rest % VALUES : -1;
                rest /= VALUES;
            }
            if (!repOk(&heap))
                continue;
            heaps++;
            tryAdd(&heap);
            tryRemove(&heap);
        }
    printf("up to %d elements over %d values: %d heaps\n", MOST_ELEMENTS, VALUES, heaps);
}

int main(void) {
    countHeaps();
    printf("add: invariant broken %d times, postcondition %d times\n", invariantBroken,
           postconditionBroken);
    struct BinaryHeap full = {.size = CAPACITY};
    CHECK(repOk(&full) && !add(&full, 1) && addPost(&full, 1, false));
    CHECK(!repOk(&(struct BinaryHeap){.size = CAPACITY + 1}));
    CHECK(!repOk(&(struct BinaryHeap){.size = -1}));
    CHECK(!repOk(&(struct BinaryHeap){.size = 2, .data = {2, 1}}));
}
