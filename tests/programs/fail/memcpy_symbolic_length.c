#include <string.h>
#include "everypath.h"

int main(void) {
    char from[3] = {1, 2, 3}, to[3] = {0};
    unsigned char n;
    ep_symbolic(&n, sizeof n, "n");
    memcpy(to, from, n); // error: out-of-bounds-read
    return to[0] + to[1] + to[2];
}
