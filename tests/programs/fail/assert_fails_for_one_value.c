#include <assert.h>
#include "everypath.h"

int main(void) {
    unsigned x;
    ep_symbolic(&x, sizeof x, "x");
    assert(x * 3 != 21); // error: assert
    return 0;
}
