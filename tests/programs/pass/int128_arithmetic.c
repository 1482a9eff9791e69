#include "everypath.h"

int main(void) {
    uint64_t a, b;
    ep_symbolic(&a, sizeof a, "a");
    ep_symbolic(&b, sizeof b, "b");
    unsigned __int128 sum = (unsigned __int128)a + b;
    ep_assert((uint64_t)(sum >> 64) == (a + b < a));
    unsigned __int128 product = (unsigned __int128)0xffffffffffffffff * 0xffffffffffffffff;
    ep_assert((uint64_t)(product >> 64) == 0xfffffffffffffffe && (uint64_t)product == 1);
    return 0;
}
