#include "everypath.h"

int main(void) {
    int x;
    ep_symbolic(&x, sizeof x, "x");
    if (x > 5)
        ep_ignore();
    return 0;
}
