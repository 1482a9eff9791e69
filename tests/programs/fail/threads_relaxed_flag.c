/* The twin of threads_atomic_flag.c: a relaxed flag orders nothing. */
#include <pthread.h>
#include <stdatomic.h>

static int message;
static atomic_int flag;

static void *send(void *unused) {
    message = 42;
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, send, NULL);
    while (!atomic_load_explicit(&flag, memory_order_relaxed)) {}
    return message != 42; // error: data-race
}
