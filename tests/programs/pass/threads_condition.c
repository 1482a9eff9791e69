/* A producer and a consumer of a queue of one. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int full, item;

static void *produce(void *unused) {
    for (int i = 1; i <= 2; i++) {
        pthread_mutex_lock(&lock);
        while (full) pthread_cond_wait(&changed, &lock);
        item = i;
        full = 1;
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    int sum = 0;
    pthread_create(&thread, NULL, produce, NULL);
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&lock);
        while (!full) pthread_cond_wait(&changed, &lock);
        sum = sum * 10 + item;
        full = 0;
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&lock);
    }
    pthread_join(thread, NULL);
    assert(sum == 12);
    return 0;
}
