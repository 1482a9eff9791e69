#include "everypath.h"

int main(void) {
    int x;
    ep_symbolic(&x, sizeof x, "x");
    int sum;
    if (__builtin_add_overflow(x, 1, &sum)) {
        ep_assert(x == 2147483647);
        return 1;
    }
    ep_assert(sum == x + 1);
    return 0;
}
