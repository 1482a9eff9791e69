/* A number is checked bit by bit and then classified.
 *
 *     everypath run border.c --symbolic-only classify
 *
 * The check has a path for each of 65536 numbers, and how a number is classified does
 * not depend on it. Only classify is symbolic here; the check runs with the inputs
 * there are, and again with others where classify needs them. */
#include <everypath.h>

static unsigned parity(unsigned number) {
    unsigned odd = 0;
    for (int i = 0; i < 16; i++)
        if (number >> i & 1)
            odd = !odd;
    return odd;
}

static int classify(unsigned number) {
    if (number < 10)
        return 2;
    if (number < 100)
        return 4;
    if (number == 777)
        return 6;
    return 8;
}

int main(void) {
    unsigned number;
    ep_symbolic(&number, sizeof number, "number");
    ep_assume(number < 65536);
    return parity(number) + classify(number);
}
