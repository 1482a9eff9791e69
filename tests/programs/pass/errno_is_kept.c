#include <errno.h>
#include <stdlib.h>
#include "everypath.h"

int main(void) {
    errno = 0;
    strtol("99999999999999999999", NULL, 10);
    ep_assert(errno == ERANGE);
    return 0;
}
