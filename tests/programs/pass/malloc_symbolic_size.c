#include "everypath.h"
#include <stdlib.h>

int main(void) {
    unsigned char n;
    ep_symbolic(&n, sizeof n, "n");
    ep_assume((n > 0) & (n < 4));
    char *p = malloc(n);
    p[n - 1] = 1;
    free(p);
    return n;
}
