/* One access, two different errors: null and freed. */
#include "everypath.h"
#include <stdlib.h>

int main(void) {
    int here = 1, *freed = malloc(sizeof *freed);
    free(freed);
    int *all[3] = {&here, NULL, freed};
    return *all[ep_choose(3)]; // errors: null-dereference use-after-free
}
