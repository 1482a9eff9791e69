#include "everypath.h"

int main(void) {
    unsigned char n;
    ep_symbolic(&n, sizeof n, "n");
    int digits = 0;
    do {
        digits++;
        n /= 10;
    } while (n != 0);
    return digits;
}
