#include "everypath.h"

static int twice(int x) { return 2 * x; }
static int clamp(int x, int most) { return x > most ? most : x; }

int main(void) {
    short x;
    ep_symbolic(&x, sizeof x, "x");
    int y = clamp(twice(twice(x)), 100);
    ep_assert(y <= 100);
    return 0;
}
