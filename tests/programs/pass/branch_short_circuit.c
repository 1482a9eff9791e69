/* `a && b` is two branches: neither, a alone, both. */
#include "everypath.h"

int main(void) {
    int x;
    ep_symbolic(&x, sizeof x, "x");
    if (x > 0 && x % 2 == 0)
        return 1;
    return 0;
}
