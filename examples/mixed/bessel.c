/* A condition on a function that has no source here: the Bessel function of the
 * second kind and order zero, from the C library.
 *
 *     everypath run examples/mixed/bessel.c --complex mixed
 *
 * From 1.25 on, y0 is above 0.2 up to about 3.47, and again at the tops of the
 * next two waves. The exit status is 1 there and 0 elsewhere. */
#include <everypath.h>
#include <math.h>

static int test(double x) {
    double y = y0(x);
    if (x >= 1.25 && y > 0.2)
        return 1;
    return 0;
}

int main(void) {
    double x;
    ep_symbolic(&x, sizeof x, "x");
    return test(x);
}
