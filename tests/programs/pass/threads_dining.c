// run: --max-preemptions 1
/* Philosophers of whom one is left-handed: nobody starves. */
#include <pthread.h>

enum { COUNT = 3 };
static pthread_mutex_t forks[COUNT];

static void *eat(void *seat) {
    long left = (long)seat, right = (left + 1) % COUNT;
    long first = left < right ? left : right, second = left + right - first;
    pthread_mutex_lock(&forks[first]);
    pthread_mutex_lock(&forks[second]);
    pthread_mutex_unlock(&forks[second]);
    pthread_mutex_unlock(&forks[first]);
    return NULL;
}

int main(void) {
    pthread_t threads[COUNT];
    for (long i = 0; i < COUNT; i++) pthread_mutex_init(&forks[i], NULL);
    for (long i = 0; i < COUNT; i++) pthread_create(&threads[i], NULL, eat, (void *)i);
    for (int i = 0; i < COUNT; i++) pthread_join(threads[i], NULL);
    return 0;
}
