/* unistd.h: reading and writing without streams. Everything else of it is musl's. */
#include "internal.h"

long read(int fd, void *bytes, size_t count) {
    return ep_system(EP_READ, fd, (long)bytes, (long)count);
}

long write(int fd, const void *bytes, size_t count) {
    return ep_system(EP_WRITE, fd, (long)bytes, (long)count);
}
