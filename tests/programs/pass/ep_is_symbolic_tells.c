#include "everypath.h"

int main(void) {
    int x, y = 3;
    ep_symbolic(&x, sizeof x, "x");
    ep_assert(ep_is_symbolic(x));
    ep_assert(!ep_is_symbolic(y));
    x = 4;
    ep_assert(!ep_is_symbolic(x));
    return 0;
}
