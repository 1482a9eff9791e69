// A thread that waits for signals which all threads block.
#include "everypath.h"
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static void *waits(void *given) {
    int number;
    sigset_t *set = given;
    ep_assert(sigwait(set, &number) == 0);
    return (void *)(long)number;
}

int main(void) {
    pthread_t thread;
    void *result;
    sigset_t set, now;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    pthread_create(&thread, NULL, waits, &set);
    kill(getpid(), SIGTERM);
    pthread_join(thread, &result);
    ep_assert(result == (void *)SIGTERM);

    pthread_create(&thread, NULL, waits, &set);
    pthread_kill(thread, SIGTERM);
    pthread_join(thread, &result);
    ep_assert(result == (void *)SIGTERM);
    sigpending(&now);
    ep_assert(!sigismember(&now, SIGTERM));
    return 0;
}
