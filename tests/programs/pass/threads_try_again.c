// run: --max-preemptions 12
// Three threads add by compare and exchange and try again when another came between, at most
// as often as that can happen. Interleavings that are left out as equal to others must not
// take those away in which an exchange fails: `failed` counts them.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int sum, failed;

static void *add(void *unused) {
    for (int tries = 0; tries < 3; tries++) {
        int old = atomic_load(&sum);
        if (atomic_compare_exchange_strong(&sum, &old, old + 1))
            return unused;
        atomic_fetch_add(&failed, 1);
    }
    assert(0);
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, add, NULL);
    add(NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(sum == 3);
    return failed;
}
