// Locks, semaphores and signals that never come; whoever waits until a time goes on then.
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <time.h>

static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER, right = PTHREAD_MUTEX_INITIALIZER;

static struct timespec in_seconds(int seconds) {
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    time.tv_sec += seconds;
    return time;
}

/* The order of the locks is no deadlock, because nobody waits for ever. */
static bool take_both(pthread_mutex_t *first, pthread_mutex_t *second) {
    struct timespec limit = in_seconds(1);
    pthread_mutex_lock(first);
    int failure = pthread_mutex_timedlock(second, &limit);
    if (!failure)
        pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
    return failure == 0 || failure == ETIMEDOUT;
}

static void *other(void *unused) {
    return take_both(&right, &left) ? NULL : unused;
}

static bool is_over(struct timespec limit) {
    struct timespec now = in_seconds(0);
    return now.tv_sec >= limit.tv_sec;
}

int main(void) {
    pthread_t thread;
    void *failed;
    pthread_create(&thread, NULL, other, &thread);
    if (!take_both(&left, &right))
        return 1;
    pthread_join(thread, &failed);
    if (failed)
        return 2;

    sem_t never;
    struct timespec limit = in_seconds(1);
    sem_init(&never, 0, 0);
    if (sem_timedwait(&never, &limit) != -1 || errno != ETIMEDOUT || !is_over(limit))
        return 3;

    pthread_cond_t silent = PTHREAD_COND_INITIALIZER;
    limit = in_seconds(2);
    pthread_mutex_lock(&left);
    while (!is_over(limit))
        if (pthread_cond_timedwait(&silent, &left, &limit) != ETIMEDOUT)
            return 4;
    /* It holds the lock itself. */
    limit = in_seconds(1);
    return pthread_mutex_timedlock(&left, &limit) == ETIMEDOUT ? 0 : 5;
}
