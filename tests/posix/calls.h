/* System calls by number, with nothing in between. In the real program they are the real
 * system's, so that every answer of the model has a referee. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>

long __ep_syscall(long number, long a, long b, long c, long d, long e, long f);

#define CALL6(name, a, b, c, d, e, f, ...) \
    __ep_syscall(SYS_##name, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))
#define CALL(name, ...) CALL6(name, ##__VA_ARGS__, 0, 0, 0, 0, 0, 0)

static inline int opened(const char *path, int flags) {
    return (int)CALL(open, path, flags, 0644);
}

static inline long wrote(int descriptor, const char *text) {
    return CALL(write, descriptor, text, strlen(text));
}
