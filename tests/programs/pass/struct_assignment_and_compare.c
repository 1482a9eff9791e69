#include "everypath.h"
#include <string.h>

struct pair {
    int a, b;
};

int main(void) {
    struct pair p, q;
    ep_symbolic(&p, sizeof p, "p");
    q = p;
    q.a ^= 1;
    q.a ^= 1;
    ep_assert(memcmp(&p, &q, sizeof p) == 0);
    return 0;
}
