#include <string.h>
#include "everypath.h"

int main(void) {
    char s[4];
    ep_symbolic(s, sizeof s, "s");
    s[3] = 0;
    if (strcmp(s, "key") == 0) {
        ep_assert(s[0] == 'k' && s[1] == 'e' && s[2] == 'y');
        return 1;
    }
    return 0;
}
