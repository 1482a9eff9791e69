// Functions of long double that are exact.
#include <math.h>
#include <stdio.h>
int main(void) {
    long double given[] = {0.0L, -0.0L, 1.5L, -2.5L, 3.0L, 1e-10L, -7.25L, 1e30L};
    for (unsigned i = 0; i < sizeof given / sizeof *given; i++) {
        volatile long double x = given[i], y = 2.75L;
        printf("%La %La %La %La ", floorl(x), ceill(x), truncl(x), roundl(x));
        printf("%La %La %La ", rintl(x), fabsl(x), sqrtl(fabsl(x)));
        printf("%La %La %La ", fmodl(x, y), copysignl(y, x), fminl(x, y));
        printf("%La %ld %d\n", fmaxl(x, y), x < 1e18L ? lroundl(x) : 0, isnan(x) || isinf(x));
        int power;
        long double whole;
        printf("%La %d ", frexpl(x, &power), power);
        printf("%La %La ", modfl(x, &whole), whole);
        printf("%La\n", ldexpl(x, 3));
    }
    return 0;
}
