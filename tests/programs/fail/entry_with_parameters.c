// run: --entry weigh
#include "everypath.h"

int weigh(int apples, unsigned char pears, double each) {
    if (apples < 0)
        return -1;
    ep_assert(pears < 255); // error: assert
    if (each > 1)
        return 1;
    return 0;
}
