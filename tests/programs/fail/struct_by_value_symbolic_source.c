/* The copy for the call is made from a symbolic address. */
#include "everypath.h"

struct big {
    int values[10];
};

static int first(struct big b) { return b.values[0]; }

int main(void) {
    static struct big all[3] = {{{5}}, {{6}}, {{7}}};
    unsigned i;
    ep_symbolic(&i, sizeof i, "i");
    int found = first(all[i]); // error: out-of-bounds-read
    ep_assert(found == 5 + (int)i);
    return 0;
}
