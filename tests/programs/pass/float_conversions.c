#include "everypath.h"

int main(void) {
    short x;
    ep_symbolic(&x, sizeof x, "x");
    float f = x;
    double d = f;
    ep_assert((short)d == x);
    ep_assert((int)2.9 == 2 && (int)-2.9f == -2 && (unsigned char)200.7 == 200);
    return 0;
}
