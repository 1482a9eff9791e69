// run: --sym-arg 1
#define _GNU_SOURCE
#include "calls.h"
#include <math.h>

/* Functions of long double that have no exact result are musl's: they agree with the host's
 * in more digits than a double has. */
static void show(const char *name, long double value) {
    printf("%s %.15Lg\n", name, value);
}

int main(int argc, char **argv) {
    long double x = argv[1][0] == 'a' ? 0.25L : 0.75L;
    show("sin", sinl(x));
    show("cos", cosl(x));
    show("tan", tanl(x));
    show("asin", asinl(x));
    show("acos", acosl(x));
    show("atan", atanl(x));
    show("atan2", atan2l(x, -2.0L));
    show("sinh", sinhl(x));
    show("cosh", coshl(x));
    show("tanh", tanhl(x));
    show("asinh", asinhl(x));
    show("acosh", acoshl(1 + x));
    show("atanh", atanhl(x));
    show("exp", expl(x));
    show("exp2", exp2l(x));
    show("exp10", exp10l(x));
    show("expm1", expm1l(x));
    show("log", logl(x));
    show("log2", log2l(x));
    show("log10", log10l(x));
    show("log1p", log1pl(x));
    show("pow", powl(x, 2.5L));
    show("cbrt", cbrtl(x));
    show("hypot", hypotl(x, 3.0L));
    show("erf", erfl(x));
    show("erfc", erfcl(x));
    show("lgamma", lgammal(x));
    show("tgamma", tgammal(x));
    show("logb", logbl(x));
    show("nexttoward", nexttoward(1.0, x));
    printf("%d\n", ilogbl(x));
    return argc - 2;
}
