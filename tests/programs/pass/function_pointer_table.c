/* A symbolic index into a table of functions: one path for each function. */
#include "everypath.h"

static int zero(int x) { return 0 * x; }
static int one(int x) { return x; }
static int two(int x) { return 2 * x; }
static int (*const table[])(int) = {zero, one, two};

int main(void) {
    size_t which = ep_choose(3);
    ep_assert(table[which](21) == 21 * (int)which);
    return 0;
}
