#include "everypath.h"

int main(void) {
    signed char c;
    ep_symbolic(&c, sizeof c, "c");
    int wide = c;
    unsigned char byte = c;
    ep_assert(wide == byte || wide == byte - 256);
    return 0;
}
