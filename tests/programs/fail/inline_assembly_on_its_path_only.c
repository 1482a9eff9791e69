#include "everypath.h"

int main(void) {
    int x;
    ep_symbolic(&x, sizeof x, "x");
    __asm__ volatile("" ::: "memory");
    if (x == 3)
        __asm__ volatile("in %%dx, %%al" ::: "al"); // error: unsupported
    return 0;
}
