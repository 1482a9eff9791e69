#include <ctype.h>
#include "everypath.h"

int main(void) {
    unsigned char c;
    ep_symbolic(&c, sizeof c, "c");
    ep_assume(c < 128);
    if (isdigit(c))
        ep_assert((c >= '0') & (c <= '9'));
    else
        ep_assert((c < '0') | (c > '9'));
    ep_assert(tolower(toupper('x')) == 'x');
    return 0;
}
