/* Verification tasks define their assumptions: what aborts in one is a path that is
 * dropped, and what aborts elsewhere would be an error. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

void assume_abort_if_not(int condition) {
    if (!condition) {
        abort();
    }
}

void assume(int condition) {
    if (!condition)
        abort();
}

int main(void) {
    int x = __VERIFIER_nondet_int();
    assume_abort_if_not(x > 3);
    assume(x < 9);
    if (x <= 3 || x >= 9)
        reach_error();
    return x == 4;
}
