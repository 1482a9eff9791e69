#include "everypath.h"

static void check(int x) {
    ep_assert(x < 100); // error: assert
}

int main(void) {
    int x;
    ep_symbolic(&x, sizeof x, "x");
    check(x);
    check(x + 0);
    return 0;
}
