#include "everypath.h"

struct flags {
    unsigned low : 3;
    int middle : 4;
    unsigned high : 9;
};

int main(void) {
    int x;
    ep_symbolic(&x, sizeof x, "x");
    struct flags f = {0};
    f.low = x;
    f.middle = x;
    f.high = 511;
    ep_assert(f.low == (unsigned)(x & 7));
    ep_assert(f.middle >= -8 && f.middle <= 7);
    ep_assert(f.high == 511);
    return 0;
}
