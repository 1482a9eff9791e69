#include "everypath.h"

int main(void) {
    unsigned char n;
    ep_symbolic(&n, sizeof n, "n");
    return (1u << n) == 0; // error: shift
}
