// A robust mutex whose owner ends says so to the next one, which makes it good or leaves it.
#include "everypath.h"
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t good, left;

static void *ends_with_them(void *unused) {
    ep_assert(pthread_mutex_lock(&good) == 0 && pthread_mutex_lock(&left) == 0);
    return unused;
}

int main(void) {
    pthread_mutexattr_t attributes;
    int protocol;
    pthread_mutexattr_init(&attributes);
    ep_assert(pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST) == 0);
    ep_assert(pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT) == 0);
    ep_assert(pthread_mutexattr_getprotocol(&attributes, &protocol) == 0);
    ep_assert(protocol == PTHREAD_PRIO_INHERIT);
    pthread_mutex_init(&good, &attributes);
    pthread_mutex_init(&left, &attributes);
    pthread_t thread;
    pthread_create(&thread, NULL, ends_with_them, NULL);
    pthread_join(thread, NULL);

    ep_assert(pthread_mutex_lock(&good) == EOWNERDEAD);
    ep_assert(pthread_mutex_consistent(&good) == 0);
    ep_assert(pthread_mutex_unlock(&good) == 0 && pthread_mutex_lock(&good) == 0);
    ep_assert(pthread_mutex_consistent(&good) == EINVAL);

    ep_assert(pthread_mutex_trylock(&left) == EOWNERDEAD);
    ep_assert(pthread_mutex_unlock(&left) == 0);
    ep_assert(pthread_mutex_lock(&left) == ENOTRECOVERABLE);
    ep_assert(pthread_mutex_trylock(&left) == ENOTRECOVERABLE);
    return 0;
}
