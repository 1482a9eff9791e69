/* A pointer out of a table at a symbolic index may be any of three objects. */
#include "everypath.h"

int main(void) {
    int a = 1, b = 2, c = 3;
    int *all[3] = {&a, &b, &c};
    size_t which = ep_choose(3);
    *all[which] = 10;
    ep_assert(a + b + c == 16 - (int)(which + 1));
    return 0;
}
