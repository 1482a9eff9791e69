// Which variable is read is for the input to say: only one of them is written meanwhile.
#include <assert.h>
#include <everypath.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int places[2];

static void *write_the_second(void *unused) {
    atomic_store(&places[1], 1);
    return unused;
}

int main(void) {
    unsigned which;
    ep_symbolic(&which, sizeof which, "which");
    ep_assume(which < 2);
    pthread_t thread;
    pthread_create(&thread, NULL, write_the_second, NULL);
    int seen = atomic_load(&places[which]);
    pthread_join(thread, NULL);
    assert(seen == 0); // error: assert
    return 0;
}
