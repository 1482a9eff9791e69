#include <stdlib.h>
#include "everypath.h"

static int descending(const void *a, const void *b) { return *(const int *)b - *(const int *)a; }

int main(void) {
    int a[] = {3, 9, -1, 7, 0, 12, 5};
    qsort(a, 7, sizeof *a, descending);
    for (int i = 0; i < 6; i++)
        ep_assert(a[i] >= a[i + 1]);
    return a[0];
}
