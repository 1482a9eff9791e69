/* Printing a symbolic digit forks no more than printing must. */
#include <stdio.h>
#include <string.h>
#include "everypath.h"

int main(void) {
    char text[8];
    int digit = ep_range(0, 10, "digit");
    snprintf(text, sizeof text, "<%c>", '0' + digit);
    ep_assert(text[1] - '0' == digit && strlen(text) == 3);
    return 0;
}
