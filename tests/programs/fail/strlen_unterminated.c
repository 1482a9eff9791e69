#include <string.h>
#include "everypath.h"

int main(void) {
    char s[2];
    ep_symbolic(s, sizeof s, "s");
    return strlen(s); // error: out-of-bounds-read
}
