/* Writing symbolic bytes does not fork, whether or not they matter later. */
#include <stdio.h>
#include "everypath.h"

int main(void) {
    unsigned char x;
    ep_symbolic(&x, sizeof x, "x");
    putchar('a' + x % 16);
    fflush(stdout);
    if (x % 16 > 7)
        puts(" high");
    return 0;
}
