#include <string.h>
#include "everypath.h"

int main(void) {
    char text[32] = "one";
    strcat(text, ",two");
    strncat(text, ",three", 4);
    ep_assert(strcmp(text, "one,two,thr") == 0);
    ep_assert(strchr(text, ',') == text + 3 && strrchr(text, ',') == text + 7);
    ep_assert(strstr(text, "two") == text + 4 && strstr(text, "four") == NULL);
    ep_assert(strspn(text, "eno") == 3 && strcspn(text, ",") == 3);
    char *part = strtok(text, ",");
    int parts = 0;
    for (; part; part = strtok(NULL, ","))
        parts++;
    ep_assert(parts == 3);
    return 0;
}
