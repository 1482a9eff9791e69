#include "everypath.h"

int main(void) {
    unsigned char n;
    ep_symbolic(&n, sizeof n, "n");
    ep_assume(n <= 4);
    int turns = 0;
    while (n-- > 0)
        turns++;
    return turns;
}
