#include "everypath.h"

int main(void) {
    const volatile int fixed = 3;
    volatile int x;
    ep_symbolic((int *)&x, sizeof x, "x");
    int a = x, b = x;
    ep_assert(a == b && fixed == 3);
    x = fixed;
    return x;
}
