/* unistd.h: reading and writing without streams. Everything else of it is musl's. */
#include "internal.h"

long read(int fd, void *bytes, size_t count) {
    return ep_system(EP_READ, fd, (long)bytes, (long)count);
}

long write(int fd, const void *bytes, size_t count) {
    return ep_system(EP_WRITE, fd, (long)bytes, (long)count);
}

/* Callers give as many arguments as the call has. Those after them are zero here, where a
 * list of variadic arguments would end. */
long syscall(long number, long a, long b, long c, long d, long e, long f) {
    return ep_result(__ep_syscall(number, a, b, c, d, e, f));
}
