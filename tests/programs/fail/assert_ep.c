#include "everypath.h"

int main(void) {
    int x;
    ep_symbolic(&x, sizeof x, "x");
    ep_assert(x != 42); // error: assert
    return 0;
}
