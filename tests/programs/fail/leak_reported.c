// run: --leaks
#include <stdlib.h>
#include "everypath.h"

int main(void) {
    int x;
    ep_symbolic(&x, sizeof x, "x");
    char *p = malloc(10);
    if (x)
        free(p);
    return 0; // error: leak
}
