/* errno.h: one thread, one errno. */
#include "internal.h"

static int value;

int *__errno_location(void) {
    return &value;
}
