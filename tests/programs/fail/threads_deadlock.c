/* Two locks in two orders. */
#include <pthread.h>

static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER, right = PTHREAD_MUTEX_INITIALIZER;

static void *one(void *unused) {
    pthread_mutex_lock(&left);
    pthread_mutex_lock(&right);
    pthread_mutex_unlock(&right);
    pthread_mutex_unlock(&left);
    return unused;
}

static void *other(void *unused) {
    pthread_mutex_lock(&right);
    pthread_mutex_lock(&left);
    pthread_mutex_unlock(&left);
    pthread_mutex_unlock(&right);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, other, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL); // error: deadlock
    return 0;
}
