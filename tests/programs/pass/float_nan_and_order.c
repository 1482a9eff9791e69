#include "everypath.h"

int main(void) {
    double x;
    ep_symbolic(&x, sizeof x, "x");
    if (x < 1)
        return 1;
    if (x >= 1)
        return 2;
    ep_assert(x != x);
    return 3;
}
