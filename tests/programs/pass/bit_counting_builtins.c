#include "everypath.h"

int main(void) {
    unsigned x;
    ep_symbolic(&x, sizeof x, "x");
    ep_assume(x != 0);
    ep_assert(__builtin_ctz(x) + __builtin_clz(x) <= 31);
    ep_assert(__builtin_bswap32(__builtin_bswap32(x)) == x);
    ep_assert(__builtin_popcount(255) == 8);
    return 0;
}
