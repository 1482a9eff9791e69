// Threads that are cancelled where they wait, where they look, and not at all while they mind.
#include "everypath.h"
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static sem_t never;
static int cleaned, order[2];

static void unlock(void *mutex) {
    order[cleaned++] = 1;
    pthread_mutex_unlock(mutex);
}
static void note(void *number) {
    order[cleaned++] = (int)(long)number;
}

static void *waits_for_signal(void *unused) {
    pthread_cleanup_push(note, (void *)2L);
    pthread_mutex_lock(&lock);
    pthread_cleanup_push(unlock, &lock);
    for (;;)
        pthread_cond_wait(&condition, &lock);
    pthread_cleanup_pop(1);
    pthread_cleanup_pop(0);
    return unused;
}

static void *looks(void *unused) {
    for (;;) {
        pthread_testcancel();
        usleep(1);
    }
    return unused;
}

static void *minds(void *unused) {
    int old;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old);
    ep_assert(old == PTHREAD_CANCEL_ENABLE);
    pthread_testcancel();
    sem_post(&never);
    return &never;
}

static void *waits_for_semaphore(void *unused) {
    sem_wait(&never);
    return unused;
}

static void *run(void *(*function)(void *)) {
    pthread_t thread;
    void *result;
    pthread_create(&thread, NULL, function, NULL);
    ep_assert(pthread_cancel(thread) == 0);
    pthread_join(thread, &result);
    return result;
}

int main(void) {
    sem_init(&never, 0, 0);
    ep_assert(run(waits_for_signal) == PTHREAD_CANCELED);
    ep_assert(cleaned == 0 || (cleaned == 1 && order[0] == 2) ||
              (cleaned == 2 && order[0] == 1 && order[1] == 2));
    ep_assert(pthread_mutex_trylock(&lock) == 0);
    ep_assert(run(looks) == PTHREAD_CANCELED);
    ep_assert(run(waits_for_semaphore) == PTHREAD_CANCELED);
    ep_assert(run(minds) == &never);
    int count;
    sem_getvalue(&never, &count);
    ep_assert(count == 1);
    return 0;
}
