/* Two calls of abort behind the sign of a cube: one can be reached, the other
 * cannot, and it takes more than linear arithmetic to tell which.
 *
 *     everypath run examples/mixed/cube.c --complex mixed
 *
 * The cube is a double, which neither overflows nor loses its sign, so it is
 * positive exactly when x is. The one error is found with x > 0 and y == 10;
 * every other path ends with exit status 0. */
#include <everypath.h>
#include <stdlib.h>

static double cube(int x) {
    return (double)x * x * x;
}

static void test(int x, int y) {
    if (cube(x) > 0) {
        if (x > 0 && y == 10)
            abort();
    } else {
        if (x > 0 && y == 20)
            abort();
    }
}

int main(void) {
    int x, y;
    ep_symbolic(&x, sizeof x, "x");
    ep_symbolic(&y, sizeof y, "y");
    test(x, y);
    return 0;
}
