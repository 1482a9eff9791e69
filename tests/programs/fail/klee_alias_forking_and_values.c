// A name stands for another function, conditions are not forked over, one value is taken.
#include "klee/klee.h"
int first(int x) { return x + 1; }
int second(int x) { return x + 2; }
int main(void) {
    unsigned char x, y;
    klee_make_symbolic(&x, 1, "x");
    klee_make_symbolic(&y, 1, "y");
    klee_alias_function("first", "second");
    klee_assert(first(1) == 3);
    klee_alias_function_undo("first");
    klee_assert(first(1) == 2);
    klee_set_forking(0);
    int ways = x > 10 ? 1 : 0;
    klee_set_forking(1);
    if (y == 7)
        klee_define_fixed_object((void *)0x10000, 64);
    if (y == 8)
        klee_alias_function("first", "third"); // error: bad-call
    return ways + klee_get_value_i32(y < 4);
}
