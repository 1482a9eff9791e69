/* signal.h: what glibc says of numbers that are no signals, and a name that only it has. */
#include "internal.h"

#define EINVAL 22
enum { LAST = 64 };

int sigismember(const unsigned long *set, int signal) {
    if (signal < 1 || signal > LAST) {
        errno = EINVAL;
        return -1;
    }
    return *set >> (signal - 1) & 1;
}

/* sigpause() of X/Open, which headers call so: a signal is taken out of the mask while waiting. */
int sigprocmask(int how, const void *set, void *old);
int sigsuspend(const void *set);
int __xpg_sigpause(int signal) {
    unsigned long set[16] = {0};
    if (signal < 1 || signal > LAST) {
        errno = EINVAL;
        return -1;
    }
    sigprocmask(0, 0, set);
    set[0] &= ~(1UL << (signal - 1));
    return sigsuspend(set);
}
