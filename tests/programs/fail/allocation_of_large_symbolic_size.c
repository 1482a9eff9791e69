#include "everypath.h"
#include <stdlib.h>

int main(void) {
    unsigned n;
    ep_symbolic(&n, sizeof n, "n");
    if (n > 70000 && n < 70010) {
        char *p = malloc(n);
        p[70009] = 1; // error: out-of-bounds-write
    }
    return 0;
}
