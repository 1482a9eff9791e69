/* stdlib.h: sorting.
 *
 * Stable, as glibc's is whenever it has the memory: a program whose comparison
 * calls elements equal must see them in the same order when a test is replayed
 * natively. Nothing recurses. */
#include "internal.h"

typedef int comparison(const void *, const void *, void *);

/* Runs of this many elements are sorted by insertion; merging starts there. */
enum { RUN = 8 };

static void swap(char *a, char *b, size_t size) {
    for (size_t i = 0; i < size; i++) {
        char kept = a[i];
        a[i] = b[i];
        b[i] = kept;
    }
}

static void sort_by_insertion(char *base, size_t count, size_t size, comparison *compare,
                              void *context) {
    for (size_t sorted = 1; sorted < count; sorted++) {
        char *element = base + sorted * size;
        while (element > base && compare(element - size, element, context) > 0) {
            swap(element - size, element, size);
            element -= size;
        }
    }
}

/* Merges [0, middle) and [middle, count) of `from` into `to`. */
static void merge(char *to, const char *from, size_t middle, size_t count, size_t size,
                  comparison *compare, void *context) {
    const char *left = from, *left_end = from + middle * size;
    const char *right = left_end, *right_end = from + count * size;
    for (; left < left_end || right < right_end; to += size) {
        int take_left = right == right_end ||
                        (left < left_end && compare(left, right, context) <= 0);
        const char **taken = take_left ? &left : &right;
        memcpy(to, *taken, size);
        *taken += size;
    }
}

static size_t smaller(size_t a, size_t b) {
    return a < b ? a : b;
}

void qsort_r(void *array, size_t count, size_t size, comparison *compare, void *context) {
    char *base = array;
    char *spare = count > RUN ? malloc(count * size) : NULL;
    if (!spare) {
        sort_by_insertion(base, count, size, compare, context);
        return;
    }
    for (size_t start = 0; start < count; start += RUN)
        sort_by_insertion(base + start * size, smaller(RUN, count - start), size, compare, context);
    char *from = base, *to = spare;
    for (size_t run = RUN; run < count; run *= 2) {
        for (size_t start = 0; start < count; start += 2 * run) {
            size_t length = smaller(2 * run, count - start);
            merge(to + start * size, from + start * size, smaller(run, length), length, size,
                  compare, context);
        }
        char *kept = from;
        from = to;
        to = kept;
    }
    if (from != base)
        memcpy(base, from, count * size);
    free(spare);
}

static int compare_plainly(const void *left, const void *right, void *context) {
    return (*(int (**)(const void *, const void *))context)(left, right);
}

void qsort(void *array, size_t count, size_t size, int (*compare)(const void *, const void *)) {
    qsort_r(array, count, size, compare_plainly, &compare);
}
