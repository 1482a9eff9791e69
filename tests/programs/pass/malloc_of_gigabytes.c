#include "everypath.h"
#include <stdlib.h>

int main(void) {
    volatile size_t size = (size_t)3 << 30;
    char *p = malloc(size);
    ep_assert(p != NULL);
    p[size - 1] = 7;
    ep_assert(p[size - 1] == 7);
    free(p);
    return 0;
}
