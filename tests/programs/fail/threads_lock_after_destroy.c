/* A mutex that was destroyed can be made anew, and not be taken before. */
#include <everypath.h>
#include <pthread.h>
#include <stdlib.h>
#include <threads.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
    unsigned char choice;
    ep_symbolic(&choice, 1, "choice");
    ep_assume(choice < 6);
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    pthread_mutex_destroy(&lock);
    switch (choice) {
    case 0: return pthread_mutex_lock(&lock); // error: lock-misuse
    case 1: return pthread_mutex_trylock(&lock); // error: lock-misuse
    case 2:
        pthread_mutex_init(&lock, NULL);
        return pthread_mutex_lock(&lock);
    case 3:
        lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
        return pthread_mutex_lock(&lock);
    case 4: {
        mtx_t other;
        mtx_init(&other, mtx_plain);
        mtx_destroy(&other);
        return mtx_lock(&other); // error: lock-misuse
    }
    case 5: {
        pthread_mutex_t *freed = malloc(sizeof *freed);
        if (!freed) return 0;
        pthread_mutex_init(freed, NULL);
        free(freed);
        return pthread_mutex_lock(freed); // error: use-after-free
    }
    }
    return 0;
}
