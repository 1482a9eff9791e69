/* Two threads count under a lock: every interleaving gives the same sum. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sum;

static void *add(void *by) {
    pthread_mutex_lock(&lock);
    int seen = sum;
    sum = seen + *(int *)by;
    pthread_mutex_unlock(&lock);
    return by;
}

int main(void) {
    int one = 1, two = 2;
    pthread_t a, b;
    void *result;
    pthread_create(&a, NULL, add, &one);
    pthread_create(&b, NULL, add, &two);
    pthread_join(a, &result);
    assert(result == &one);
    pthread_join(b, NULL);
    assert(sum == 3);
    return 0;
}
