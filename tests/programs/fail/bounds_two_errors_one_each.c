#include "everypath.h"

int main(void) {
    int a[2] = {0}, b[3] = {0};
    unsigned i;
    ep_symbolic(&i, sizeof i, "i");
    b[i] = 1; // error: out-of-bounds-write
    a[i] = 1; // error: out-of-bounds-write
    return 0;
}
