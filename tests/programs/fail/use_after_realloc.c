#include "everypath.h"
#include <stdlib.h>

int main(void) {
    int *p = malloc(sizeof *p);
    int *q = realloc(p, 100);
    *q = 1;
    return *p; // error: use-after-free
}
