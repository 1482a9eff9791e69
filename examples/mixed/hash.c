/* A condition no solver can see through, and paths behind it that need it to be
 * solved again and again with other values.
 *
 *     everypath run examples/mixed/hash.c --complex mixed
 *
 * The exit status is the set of the statements that were executed. Each of the
 * five that exist is found:
 *
 *      0  x is not positive       5  S0 S3        6  S1 S3
 *                                 9  S0 S4       10  S1 S4
 *
 * With `--complex exe` the first value of x is kept for the rest of the path, so
 * nothing finds out what hash does for another; with `--complex dart` the value
 * of hash that leads to S0 comes from one x, and S4 asks for another. */
#include <everypath.h>

enum statement { S0 = 1, S1 = 2, S3 = 4, S4 = 8 };

EP_CONCRETE EP_PARTITION("x > 3", "x <= 3")
int hash(int x) {
    return x >= 0 && x <= 10 ? 10 * x : 0;
}

static int test(int x, int y) {
    int executed = 0;
    if (x > 0) {
        if (y == hash(x))
            executed |= S0;
        else
            executed |= S1;
        if (x > 3 && y > 10)
            executed |= S3;
        else
            executed |= S4;
    }
    return executed;
}

int main(void) {
    int x, y;
    ep_symbolic(&x, sizeof x, "x");
    ep_symbolic(&y, sizeof y, "y");
    return test(x, y);
}
