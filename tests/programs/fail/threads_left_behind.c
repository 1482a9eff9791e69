/* The program may end before a thread, or after what the thread does. */
#include <assert.h>
#include <everypath.h>
#include <pthread.h>
#include <stdlib.h>

static _Atomic int step;

static void *late(void *unused) {
    assert(step == 0); // error: assert
    return unused;
}

static void *self(void *place) {
    return (void *)(long)pthread_join(*(pthread_t *)place, NULL); // error: lock-misuse
}

int main(void) {
    static pthread_t thread;
    unsigned char choice;
    ep_symbolic(&choice, 1, "choice");
    ep_assume(choice < 3);
    pthread_create(&thread, NULL, choice == 2 ? self : late, &thread);
    if (choice != 2) step = 1;
    if (choice == 1) exit(0);
    return 0;
}
