#include "everypath.h"
#include <stdlib.h>

int main(void) {
    int *p = malloc(8), *q = p + 1;
    free(p);
    *q = 1; // error: use-after-free
    return 0;
}
