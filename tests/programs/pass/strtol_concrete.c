#include <stdlib.h>
#include "everypath.h"

int main(void) {
    char *end;
    ep_assert(strtol("  -42rest", &end, 10) == -42 && *end == 'r');
    ep_assert(strtol("0x1F", NULL, 0) == 31 && strtol("017", NULL, 0) == 15);
    ep_assert(strtoul("zz", NULL, 36) == 35 * 36 + 35);
    ep_assert(atoi("123") == 123);
    ep_assert(strtod("2.5e2", NULL) == 250);
    return 0;
}
