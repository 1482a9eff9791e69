#include "everypath.h"

int main(void) {
    int a[10];
    int *p = a + 7, *q = a + 2;
    ep_assert(p - q == 5 && p > q && &a[10] - p == 3);
    char *c = (char *)p;
    ep_assert(c - (char *)a == 28);
    return 0;
}
