/* The inner branch can go one way only. */
#include "everypath.h"

int main(void) {
    int x;
    ep_symbolic(&x, sizeof x, "x");
    if (x > 10) {
        if (x < 5)
            return 2;
        return 1;
    }
    return 0;
}
