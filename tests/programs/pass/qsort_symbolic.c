/* Three numbers are sorted along one path for each order. */
#include <stdlib.h>
#include "everypath.h"

static int ascending(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

int main(void) {
    int a[3];
    ep_symbolic(a, sizeof a, "a");
    qsort(a, 3, sizeof *a, ascending);
    ep_assert((a[0] <= a[1]) & (a[1] <= a[2]));
    return 0;
}
