#include "everypath.h"

int main(void) {
    unsigned char n;
    ep_symbolic(&n, sizeof n, "n");
    int sum = 0;
    switch (n) {
    case 3:
        sum += 3;
        /* fall through */
    case 2:
        sum += 2;
        /* fall through */
    case 1:
        sum += 1;
    }
    ep_assert(n > 3 || sum == n * (n + 1) / 2);
    return 0;
}
