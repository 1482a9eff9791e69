// run: --uninitialised
/* That a value occurs somewhere does not mean that anything depends on it. */
#include "everypath.h"
#include <string.h>

struct padded {
    char tag;
    int value;
};

int main(void) {
    int unset;
    struct padded left, right;
    unsigned char x;
    ep_symbolic(&x, sizeof x, "x");
    left.tag = 1;
    left.value = x;
    right = left;
    if ((unset & 0) != 0) return 1;
    if ((unset ^ unset) != 0) return 2;
    if ((right.value & 255) == 7) return 3;
    return 0;
}
