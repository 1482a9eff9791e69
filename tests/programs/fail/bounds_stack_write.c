#include "everypath.h"

int main(void) {
    char a[4] = {0};
    unsigned char i;
    ep_symbolic(&i, sizeof i, "i");
    a[i] = 1; // error: out-of-bounds-write
    return 0;
}
