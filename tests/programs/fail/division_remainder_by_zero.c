#include "everypath.h"

int main(void) {
    unsigned char x;
    ep_symbolic(&x, sizeof x, "x");
    return 100u % x; // error: division
}
