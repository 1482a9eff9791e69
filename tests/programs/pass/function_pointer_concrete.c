#include "everypath.h"

static int add(int a, int b) { return a + b; }
static int apply(int (*f)(int, int), int a, int b) { return f(a, b); }

int main(void) {
    ep_assert(apply(add, 2, 3) == 5);
    ep_assert(apply(&add, -2, 2) == 0);
    return 0;
}
