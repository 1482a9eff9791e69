/* The status may be symbolic; it does not fork. */
#include <stdlib.h>
#include "everypath.h"

int main(void) {
    int x;
    ep_symbolic(&x, sizeof x, "x");
    exit(x);
}
