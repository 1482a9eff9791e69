#include "everypath.h"
#include <stdlib.h>

int main(void) {
    int *p = calloc(4, sizeof *p);
    unsigned i;
    ep_symbolic(&i, sizeof i, "i");
    ep_assume(i < 4);
    ep_assert(p[i] == 0);
    free(p);
    return 0;
}
