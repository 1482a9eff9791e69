/* A string that is printed and may have no end is read behind its object. */
#include <stdio.h>
#include "everypath.h"

int main(void) {
    char name[3];
    ep_symbolic(name, sizeof name, "name");
    if (ep_range(0, 2, "line"))
        puts(name); // error: out-of-bounds-read
    else
        printf("%s\n", name); // error: out-of-bounds-read
    return 0;
}
