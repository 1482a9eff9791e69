#include "everypath.h"

int main(void) {
    volatile long double x = 1.0L;
    for (int i = 0; i < 60; i++)
        x /= 2;
    ep_assert(1.0L + x != 1.0L);
    ep_assert((double)(1.0L + x) == 1.0);
    return 0;
}
