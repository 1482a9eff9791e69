// A signal for a thread that waits: its handler runs there, and the wait for a semaphore is over.
#include "everypath.h"
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>

static sem_t never;
static volatile sig_atomic_t handled;
static pthread_t thread;

static void handle(int signal) {
    ep_assert(pthread_equal(thread, pthread_self()));
    handled = signal;
    sem_post(&never);
}

static void *is_interrupted(void *unused) {
    while (!handled) {
        int result = sem_wait(&never);
        ep_assert(result == 0 || (errno == EINTR && handled == SIGUSR1));
    }
    return unused;
}

int main(void) {
    struct sigaction action = {.sa_handler = handle};
    sigaction(SIGUSR1, &action, NULL);
    sem_init(&never, 0, 0);
    sem_init(&never, 0, 0);
    pthread_create(&thread, NULL, is_interrupted, NULL);
    ep_assert(pthread_kill(thread, SIGUSR1) == 0);
    pthread_join(thread, NULL);
    ep_assert(handled == SIGUSR1);
    ep_assert(pthread_kill(pthread_self(), 1000) == EINVAL);
    return 0;
}
