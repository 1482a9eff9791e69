#include <math.h>
#include "everypath.h"

int main(void) {
    volatile double x = 2;
    ep_assert(sqrt(x) * sqrt(x) > 1.9999 && sqrt(x * 8) == 4);
    ep_assert(0.1 + 0.2 != 0.3 && floor(-1.5) == -2 && fabs(-x) == x);
    ep_assert(1 / (x - 2) > 1e308 && isnan((x - 2) / (x - 2)));
    ep_assert(pow(x, 10) == 1024 && fmod(7.5, x) == 1.5);
    return 0;
}
