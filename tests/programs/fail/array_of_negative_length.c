#include "everypath.h"

int main(void) {
    int n;
    ep_symbolic(&n, sizeof n, "n");
    ep_assume(n == 3 || n == -3);
    volatile char local[n]; // error: stack-overflow
    local[0] = 1;
    return local[0];
}
