#include "everypath.h"

int main(void) {
    int x;
    ep_symbolic(&x, sizeof x, "x");
    ep_assume(x > 5);
    ep_assume(x < 3);
    ep_assert(0);
}
