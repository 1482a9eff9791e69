/* Two ways to sort must agree on every input: five integers of any value.
 *
 *     everypath run examples/sort.c
 *
 * One path for each order the integers can be in: 120, and no error. Change a
 * comparison below and run it again. */
#include <everypath.h>

enum { COUNT = 5 };

static void swap(int *a, int *b) {
    int kept = *a;
    *a = *b;
    *b = kept;
}

static void bubble_sort(int *values, int count) {
    for (int end = count - 1; end > 0; end--)
        for (int i = 0; i < end; i++)
            if (values[i] > values[i + 1])
                swap(&values[i], &values[i + 1]);
}

static void insertion_sort(int *values, int count) {
    for (int next = 1; next < count; next++)
        for (int i = next; i > 0 && values[i - 1] > values[i]; i--)
            swap(&values[i - 1], &values[i]);
}

int main(void) {
    int values[COUNT], copy[COUNT];
    ep_symbolic(values, sizeof values, "values");
    for (int i = 0; i < COUNT; i++)
        copy[i] = values[i];

    bubble_sort(values, COUNT);
    insertion_sort(copy, COUNT);

    for (int i = 0; i < COUNT; i++)
        ep_assert(values[i] == copy[i]);
    return 0;
}
