/* One path for each length. */
#include <string.h>
#include "everypath.h"

int main(void) {
    char s[4];
    ep_symbolic(s, sizeof s, "s");
    s[3] = 0;
    return strlen(s);
}
