#include "everypath.h"

static short table[3];

int main(void) {
    unsigned i = 3;
    bool more;
    ep_symbolic(&more, sizeof more, "more");
    if (more)
        table[i] = 1; // error: out-of-bounds-write
    return 0;
}
