#include "klee/klee.h"

int main(void) {
    int x, r = klee_range(10, 13, "r");
    klee_make_symbolic(&x, sizeof x, "x");
    klee_assume(x > 0);
    if (x == r)
        return 1;
    klee_assert(r >= 10);
    klee_assert(klee_is_symbolic(x));
    klee_assert(klee_int("i") != 77); // error: assert
    return 0;
}
