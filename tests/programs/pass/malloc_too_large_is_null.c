#include "everypath.h"
#include <stdint.h>
#include <stdlib.h>

int main(void) {
    volatile size_t huge = SIZE_MAX / 2;
    void *p = malloc(huge);
    ep_assert(p == NULL);
    ep_assert(calloc(huge, huge) == NULL);
    return 0;
}
