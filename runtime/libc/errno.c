/* errno.h: each thread has its own. */
#include "internal.h"

static _Thread_local int value;

int *__errno_location(void) {
    return &value;
}
