#include "everypath.h"
#include <stdlib.h>

int main(void) {
    bool again;
    ep_symbolic(&again, sizeof again, "again");
    char *p = malloc(4);
    free(p);
    if (again)
        free(p); // error: double-free
    return 0;
}
