#include "everypath.h"

int main(void) {
    size_t a = ep_choose(2), b = ep_choose(2);
    if (a)
        a = 2;
    if (b)
        b = 1;
    return a + b;
}
