#include "everypath.h"

struct big {
    int values[20];
};

static int last(struct big b) {
    b.values[0] = 99;
    return b.values[19];
}

int main(void) {
    struct big b = {{1}};
    ep_symbolic(&b.values[19], sizeof(int), "v");
    ep_assert(last(b) == b.values[19]);
    ep_assert(b.values[0] == 1);
    return 0;
}
