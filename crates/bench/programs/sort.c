/* Bubble sort and insertion sort of COUNT symbolic integers must agree: one
 * path for each order the integers can be in. */
#include <klee/klee.h>

static void swap(int *a, int *b) {
    int kept = *a;
    *a = *b;
    *b = kept;
}

static void bubble_sort(int *values, unsigned count) {
    for (unsigned end = count; end > 1; end--)
        for (unsigned i = 1; i < end; i++)
            if (values[i - 1] > values[i])
                swap(&values[i - 1], &values[i]);
}

static void insertion_sort(int *values, unsigned count) {
    for (unsigned next = 1; next < count; next++)
        for (unsigned i = next; i > 0 && values[i - 1] > values[i]; i--)
            swap(&values[i - 1], &values[i]);
}

int main(void) {
    int values[COUNT], copy[COUNT];
    klee_make_symbolic(values, sizeof values, "values");
    for (unsigned i = 0; i < COUNT; i++)
        copy[i] = values[i];
    bubble_sort(values, COUNT);
    insertion_sort(copy, COUNT);
    for (unsigned i = 0; i < COUNT; i++)
        if (values[i] != copy[i])
            klee_abort();
    return 0;
}
