#include "everypath.h"

int main(void) {
    unsigned char n;
    ep_symbolic(&n, sizeof n, "n");
    int turns = 0;
again:
    if (turns == 3)
        goto done;
    turns++;
    if (n & 1 << turns)
        goto again;
done:
    return turns;
}
