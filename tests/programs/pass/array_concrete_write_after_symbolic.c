/* Once written at a symbolic index, an object takes concrete writes as before. */
#include "everypath.h"
#include <string.h>

static char large[20000];

int main(void) {
    size_t i = ep_choose(sizeof large);
    large[i] = 1;
    ep_assert(large[i] == 1);
    *(long *)(large + 4092) = 0x1122334455667788;
    ep_assert(*(int *)(large + 4096) == 0x11223344);
    memset(large, 3, 100);
    ep_assert(large[99] == 3);
    return 0;
}
