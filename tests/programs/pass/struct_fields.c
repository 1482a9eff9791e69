#include "everypath.h"

struct point {
    char tag;
    short x;
    long y;
};

static struct point mirrored(struct point p) {
    p.x = -p.x;
    p.y = -p.y;
    return p;
}

int main(void) {
    struct point p = {'p', 0, 7};
    ep_symbolic(&p.x, sizeof p.x, "x");
    struct point q = mirrored(mirrored(p));
    ep_assert(q.x == p.x);
    ep_assert(q.tag == 'p' && q.y == 7);
    return 0;
}
