#include "everypath.h"

int main(void) {
    unsigned char x;
    ep_symbolic(&x, sizeof x, "x");
    unsigned char y = x + 1;
    if (y < x)
        ep_assert(x == 255);
    ep_assert(0u - 1 == 4294967295u);
    return 0;
}
