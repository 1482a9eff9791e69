/* Exactly 1.5 and -1.5. */
#include "everypath.h"

int main(void) {
    float x;
    ep_symbolic(&x, sizeof x, "x");
    if (x * x == 2.25f) {
        ep_assert((x == 1.5f) | (x == -1.5f));
        return 1;
    }
    return 0;
}
