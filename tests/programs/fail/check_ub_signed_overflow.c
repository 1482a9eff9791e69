// run: --check ub
// Each sum that does not fit is an error of its own, with its place.
#include <everypath.h>
int main(void) {
    int x;
    ep_symbolic(&x, sizeof x, "x");
    if (x > 0)
        return x + 1 > 0;
    return -x != 1 && x * 2 < 0;
}
