// run: -O2
#include "everypath.h"

int main(void) {
    int b;
    ep_symbolic(&b, sizeof b, "b");
    ep_assume(b <= 32);
    if (b > 0) b = 1u << (b - 1);
    return b == 16;
}
