// run: -O2
/* The optimiser may shift by too much where it does not use the result. Here it is used. */
#include "everypath.h"

int main(void) {
    unsigned char n;
    ep_symbolic(&n, sizeof n, "n");
    return (int)(1u << n); // error: shift
}
