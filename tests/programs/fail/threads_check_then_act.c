/* Each step is locked, and the two together are not. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int tickets = 1, sold;

static int left(void) {
    pthread_mutex_lock(&lock);
    int count = tickets;
    pthread_mutex_unlock(&lock);
    return count;
}

static void *sell(void *unused) {
    if (left() > 0) {
        pthread_mutex_lock(&lock);
        tickets--;
        sold++;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, sell, NULL);
    pthread_create(&b, NULL, sell, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(sold == 1); // error: assert
    return 0;
}
