/* A remainder whose nearest candidate lies beyond the largest number. */
#include "everypath.h"

int main(void) {
    unsigned long x;
    ep_symbolic(&x, sizeof x, "x");
    ep_assume(x > 0xfffffffffffffff0u);
    if (x % 0xffffffffffffff00u == 0xf8)
        return 1;
    if (x % 0xfffffffffffffffdu == 0xff00u)
        return 2;
    return 0;
}
