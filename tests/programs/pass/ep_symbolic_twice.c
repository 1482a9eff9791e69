/* Two inputs of one name are different inputs. */
#include "everypath.h"

int main(void) {
    char x, y;
    ep_symbolic(&x, sizeof x, "same");
    ep_symbolic(&y, sizeof y, "same");
    if (x == y)
        return 0;
    if (x < y)
        return 1;
    return 2;
}
