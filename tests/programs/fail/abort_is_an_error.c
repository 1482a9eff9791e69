#include <stdlib.h>
#include "everypath.h"

int main(void) {
    int x;
    ep_symbolic(&x, sizeof x, "x");
    if (x == 7)
        abort(); // error: abort
    return 0;
}
