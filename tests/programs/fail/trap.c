#include "everypath.h"

int main(void) {
    int x;
    ep_symbolic(&x, sizeof x, "x");
    if (x == 1)
        __builtin_trap(); // error: abort
    return 0;
}
