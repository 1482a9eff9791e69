#include "klee/klee.h"

int main(void) {
    int x;
    klee_make_symbolic(&x, sizeof x, "x");
    int v = klee_get_value_i32(x);
    return x == v ? 0 : 1;
}
