#include <alloca.h>
#include "everypath.h"

static char *stale;

static int use(int n) {
    char *p = 0;
    for (int i = 0; i < n; i++) {
        char *q = alloca(4);
        q[0] = p ? p[0] + 1 : 1;
        p = q;
    }
    stale = p;
    return p[0];
}

int main(void) {
    ep_assert(use(3) == 3);
    return stale[0]; // error: use-after-return
}
