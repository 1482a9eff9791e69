#include "everypath.h"

static unsigned long factorial(unsigned n) { return n < 2 ? 1 : n * factorial(n - 1); }

int main(void) {
    unsigned n;
    ep_symbolic(&n, sizeof n, "n");
    ep_assume(n <= 5);
    return factorial(n) == 120;
}
