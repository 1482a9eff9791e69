/* A choice between constants is a value, not a branch: clang makes no branch of it. */
#include "everypath.h"

int main(void) {
    int x;
    ep_symbolic(&x, sizeof x, "x");
    int sign = x < 0 ? -1 : 1;
    ep_assert(sign * sign == 1);
    return sign + 1;
}
