#include <string.h>
#include "everypath.h"

int main(void) {
    char a[8], b[8];
    ep_symbolic(a, sizeof a, "a");
    memset(b, 7, sizeof b);
    memcpy(b + 2, a, 4);
    ep_assert((b[1] == 7) & (b[2] == a[0]) & (b[5] == a[3]) & (b[6] == 7));
    memmove(b, b + 1, 7);
    ep_assert((b[0] == 7) & (b[1] == a[0]) & (b[7] == 7));
    return 0;
}
