#include "everypath.h"
#include <stdlib.h>

int main(void) {
    char *p = malloc(2);
    ep_symbolic(p, 2, "p");
    char first = p[0];
    p = realloc(p, 100);
    p[99] = 1;
    ep_assert(p[0] == first);
    p = realloc(p, 1);
    ep_assert(p[0] == first);
    free(p);
    free(NULL);
    return 0;
}
