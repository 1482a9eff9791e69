// No other thread runs while a function of such a name does, whatever it waits for.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int first, second;
static void step(void) {
    first++;
    second++;
}
void __VERIFIER_atomic_nested(void) { step(); }
void __VERIFIER_atomic_both(void) {
    first++;
    __VERIFIER_atomic_nested();
    second++;
}
static int __VERIFIER_atomic_equal(void) { return first == second; }
static void *run(void *unused) {
    __VERIFIER_atomic_both();
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, run, 0);
    assert(__VERIFIER_atomic_equal());
    pthread_join(thread, 0);
    return first == 2 ? 0 : 1;
}
