/* A statement that looks reachable to who forgets for which x the square was
 * computed.
 *
 *     everypath run examples/mixed/square.c --complex mixed
 *
 * No integer is greater than its square, so the exit status is never 1. Yet
 * square(0) is 0, and `x >= 0 && x > y && y == 0` has solutions: the one that
 * counts must have x == 0 too. */
#include <everypath.h>

/* No product of two ints overflows a long. */
EP_CONCRETE
long square(int x) {
    return (long)x * x;
}

static int test(int x, int y) {
    if (x >= 0 && x > y && y == square(x))
        return 1;
    return 0;
}

int main(void) {
    int x, y;
    ep_symbolic(&x, sizeof x, "x");
    ep_symbolic(&y, sizeof y, "y");
    return test(x, y);
}
