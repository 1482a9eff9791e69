#include "everypath.h"

enum colour { RED, GREEN = 5, BLUE };

int main(void) {
    int i, j;
    for (i = 0, j = 10; i < j; i++, j--)
        continue;
    ep_assert(i == 5 && j == 5 && BLUE == 6);
    return RED;
}
