#include "everypath.h"

int main(void) {
    static void *const labels[] = {&&zero, &&one, &&two};
    size_t which = ep_choose(3);
    goto *labels[which];
zero:
    ep_assert(which == 0);
    return 0;
one:
    ep_assert(which == 1);
    return 1;
two:
    ep_assert(which == 2);
    return 2;
}
