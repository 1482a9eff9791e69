#include "everypath.h"

int main(void) {
    int x;
    ep_symbolic(&x, sizeof x, "x");
    if (x > 10)
        return 1;
    return 0;
}
