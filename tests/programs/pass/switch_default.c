#include "everypath.h"

int main(void) {
    int x;
    ep_symbolic(&x, sizeof x, "x");
    switch (x) {
    case 1:
        return 10;
    case 7:
        return 70;
    case -3:
        return 30;
    default:
        return 0;
    }
}
