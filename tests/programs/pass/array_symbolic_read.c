/* A read at a symbolic index does not fork. */
#include "everypath.h"

int main(void) {
    static const int squares[8] = {0, 1, 4, 9, 16, 25, 36, 49};
    unsigned i;
    ep_symbolic(&i, sizeof i, "i");
    ep_assume(i < 8);
    ep_assert(squares[i] == (int)(i * i));
    return 0;
}
