/* A message behind a flag: what is released is there for whoever acquires it. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int message;
static atomic_int flag;

static void *send(void *unused) {
    message = 42;
    atomic_store_explicit(&flag, 1, memory_order_release);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, send, NULL);
    while (!atomic_load_explicit(&flag, memory_order_acquire)) {}
    assert(message == 42);
    pthread_join(thread, NULL);
    return 0;
}
