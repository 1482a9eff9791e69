// What runs when threads end: handlers that clean up, what is kept by key, and at the end of the last thread what atexit() was told.
#include "everypath.h"
#include <pthread.h>
#include <stdlib.h>

static pthread_key_t key;
static int steps[8], count;

static void step(void *number) {
    steps[count++] = (int)(long)number;
}
static void last(void) {
    ep_assert(count == 5);
    for (int i = 0; i < count; i++)
        ep_assert(steps[i] == i + 1);
}

static void leave(void) {
    pthread_cleanup_push(step, (void *)1L);
    pthread_exit((void *)7L);
    pthread_cleanup_pop(0);
}
static void *run(void *unused) {
    pthread_setspecific(key, (void *)3L);
    pthread_cleanup_push(step, (void *)2L);
    leave();
    pthread_cleanup_pop(0);
    return unused;
}

int main(void) {
    pthread_t thread;
    void *result;
    atexit(last);
    pthread_key_create(&key, step);
    pthread_create(&thread, NULL, run, NULL);
    pthread_join(thread, &result);
    ep_assert(result == (void *)7L);
    pthread_setspecific(key, (void *)5L);
    pthread_cleanup_push(step, (void *)4L);
    pthread_exit(NULL);
    pthread_cleanup_pop(0);
    return 1;
}
