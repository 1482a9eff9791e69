// An exchange that fails is not tried again: the sum is too small where another thread came
// between, and only there.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int sum;

static void *add(void *unused) {
    int old = atomic_load(&sum);
    atomic_compare_exchange_strong(&sum, &old, old + 1);
    return unused;
}

int main(void) {
    pthread_t other;
    pthread_create(&other, NULL, add, NULL);
    add(NULL);
    pthread_join(other, NULL);
    assert(sum == 2); // error: assert
    return 0;
}
