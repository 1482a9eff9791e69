#include <stdlib.h>
#include "everypath.h"

static int compare(const void *key, const void *element) {
    return *(const int *)key - *(const int *)element;
}

int main(void) {
    static const int odd[] = {1, 3, 5, 7, 9};
    int wanted = 7, missing = 4;
    const int *found = bsearch(&wanted, odd, 5, sizeof *odd, compare);
    ep_assert(found == odd + 3);
    ep_assert(bsearch(&missing, odd, 5, sizeof *odd, compare) == NULL);
    return 0;
}
