#include <stdio.h>
#include <string.h>
#include "everypath.h"

int main(void) {
    char text[40];
    int n = snprintf(text, sizeof text, "%d %05x %-3s| %c %ld%%", -12, 255, "ab", 'z', 7L);
    ep_assert(n == 19);
    ep_assert(strcmp(text, "-12 000ff ab | z 7%") == 0);
    ep_assert(snprintf(text, 4, "%s", "too long") == 8);
    ep_assert(strcmp(text, "too") == 0);
    printf("%s and %.2f\n", text, 1.5);
    return 0;
}
