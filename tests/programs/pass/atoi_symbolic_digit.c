#include <stdlib.h>
#include "everypath.h"

int main(void) {
    char text[2] = {(char)('0' + ep_range(0, 10, "digit")), 0};
    ep_assert(atoi(text) == text[0] - '0');
    return 0;
}
