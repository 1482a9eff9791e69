/* Zero is not in the range, and no path is lost by that. */
#include "everypath.h"

int main(void) {
    int x = ep_range(5, 8, "x");
    ep_assert((x >= 5) & (x < 8));
    ep_assert(ep_range(3, 4, "only") == 3);
    switch (x) {
    case 5:
        return 5;
    case 6:
        return 6;
    case 7:
        return 7;
    }
    return 0;
}
