#include <stdlib.h>
#include "everypath.h"

static int step;

static void second(void) { ep_assert(step++ == 1); }
static void first(void) { ep_assert(step++ == 0); }

int main(void) {
    atexit(second);
    atexit(first);
    return 0;
}
