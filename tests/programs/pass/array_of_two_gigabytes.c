/* What is not touched takes no room. */
#include "everypath.h"
#include <assert.h>
#include <stdlib.h>

static char large[2000000000];

int main(void) {
    unsigned i;
    ep_symbolic(&i, sizeof i, "i");
    ep_assume(i < sizeof large);
    large[1999999999] = 3;
    large[1000000000] = 2;
    char *heap = malloc(1u << 31);
    assert(heap != NULL);
    heap[(1u << 31) - 1] = 4;
    assert(heap[(1u << 31) - 1] == 4 && heap[12345] == 0);
    if (large[i] == 2) assert(i == 1000000000);
    return 0;
}
