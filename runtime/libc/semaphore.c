/* Semaphores are the machine's; only what they say of failures is C. */
#include "internal.h"

#define EAGAIN 11

#define ETIMEDOUT 110

struct timespec;
int __ep_sem_trywait(void *semaphore);
int __ep_sem_timedwait(void *semaphore, const struct timespec *limit);

int sem_trywait(void *semaphore) {
    if (__ep_sem_trywait(semaphore) == 0) return 0;
    errno = EAGAIN;
    return -1;
}

int sem_timedwait(void *semaphore, const struct timespec *limit) {
    if (__ep_sem_timedwait(semaphore, limit) == 0) return 0;
    errno = ETIMEDOUT;
    return -1;
}

int sem_clockwait(void *semaphore, int clock, const struct timespec *limit) {
    (void)clock;
    return sem_timedwait(semaphore, limit);
}
