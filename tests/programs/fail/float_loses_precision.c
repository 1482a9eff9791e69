#include "everypath.h"

int main(void) {
    int x;
    ep_symbolic(&x, sizeof x, "x");
    ep_assert((int)(double)x == x);
    ep_assume((x > 16777216) & (x < 16777220));
    ep_assert((int)(float)x == x); // error: assert
    return 0;
}
