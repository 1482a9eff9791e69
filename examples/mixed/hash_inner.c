/* hash.c with less to go by: nothing but the value of hash says that x must be
 * at least 2 for S0 and S3 to be executed together.
 *
 *     everypath run examples/mixed/hash_inner.c --complex mixed --heuristics search
 *
 * The exit status is the set of the statements that were executed:
 *
 *      0  x is not positive       5  S0 S3        6  S1 S3
 *                                 9  S0 S4       10  S1 S4
 *
 * One solution of `x > 0` is not enough for 5; it takes a heuristic that goes on
 * to another: incremental, partition or search. */
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
        if (y > 10)
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
