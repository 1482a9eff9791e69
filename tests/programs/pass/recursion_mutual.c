#include "everypath.h"

static bool is_odd(unsigned n);
static bool is_even(unsigned n) { return n == 0 ? true : is_odd(n - 1); }
static bool is_odd(unsigned n) { return n == 0 ? false : is_even(n - 1); }

int main(void) {
    ep_assert(is_even(100));
    ep_assert(!is_even(77));
    return 0;
}
