// run: -O2
/* A shift that clang moves out of its branch is no error where it is not used. */
#include "everypath.h"

int main(void) {
    unsigned char x;
    unsigned y;
    ep_symbolic(&x, sizeof x, "x");
    ep_symbolic(&y, sizeof y, "y");
    unsigned z = x < 8 ? y << (x & 31) : y ^ 3;
    return z == 5;
}
