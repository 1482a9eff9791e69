// run: --check overflow
// Overflow is looked for, and other undefined behaviour only as always.
#include <everypath.h>
int main(void) {
    signed char x;
    int big = 2147483600;
    ep_symbolic(&x, 1, "x");
    if (x == 100)
        return 1 << x;
    return big + x < 0; // error: signed-overflow
}
