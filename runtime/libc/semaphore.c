/* Semaphores are the machine's; only what they say of failures is C. */
#include "internal.h"

#define EAGAIN 11

int __ep_sem_trywait(void *semaphore);

int sem_trywait(void *semaphore) {
    if (__ep_sem_trywait(semaphore) == 0) return 0;
    errno = EAGAIN;
    return -1;
}
