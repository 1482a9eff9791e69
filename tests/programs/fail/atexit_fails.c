#include <stdlib.h>
#include "everypath.h"

static int x;

static void check(void) {
    ep_assert(x != 3); // error: assert
}

int main(void) {
    atexit(check);
    ep_symbolic(&x, sizeof x, "x");
    exit(x);
}
