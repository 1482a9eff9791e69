/* A value that was worth finding on one path is worth trying on another.
 *
 *     everypath run examples/mixed/residual.c --heuristics residual --search dfs
 *
 * When b is zero, which is what a run begins with, `y > 0` makes the solver find a
 * positive y: 1, the smallest. When b is not zero nothing simple is known of y, and
 * the last value that was found for it makes identityF(y) == 1. The exit status
 * says which of the four ends was reached: 1 and 2 without b, 3 and 4 with it. */
#include <everypath.h>

EP_CONCRETE
int identityF(int value) {
    return value;
}

static int test(int b, int x, int y) {
    if (!b) {
        if (y <= 0)
            return 1;
        else
            return 2;
    } else {
        if (x <= 0 && identityF(y) == 1)
            return 3;
        else
            return 4;
    }
}

int main(void) {
    int b, x, y;
    ep_symbolic(&b, sizeof b, "b");
    ep_symbolic(&x, sizeof x, "x");
    ep_symbolic(&y, sizeof y, "y");
    return test(b, x, y);
}
