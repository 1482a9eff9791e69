// What is done once is there for all who ask for it; threads have names, and may be asked whether they ended.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <threads.h>
#include <time.h>

static pthread_once_t first = PTHREAD_ONCE_INIT;
static once_flag second = ONCE_FLAG_INIT;
static int made, made_too;
static tss_t own;

static void make(void) {
    made++;
}

static void make_too(void) {
    made_too++;
    tss_create(&own, NULL);
}

static bool is_made(void *mine) {
    pthread_once(&first, make);
    call_once(&second, make_too);
    tss_set(own, mine);
    return made == 1 && made_too == 1 && tss_get(own) == mine;
}

static void *use(void *mine) {
    return is_made(mine) ? NULL : mine;
}

static bool end(pthread_t thread) {
    void *result = &made;
    struct timespec limit;
    clock_gettime(CLOCK_REALTIME, &limit);
    limit.tv_sec += 1;
    int failure = pthread_timedjoin_np(thread, &result, &limit);
    if (failure == ETIMEDOUT)
        failure = pthread_join(thread, &result);
    return failure == 0 && result == NULL;
}

int main(void) {
    pthread_t thread;
    int mine;
    char name[16] = "";
    pthread_create(&thread, NULL, use, &mine);
    if (pthread_setname_np(thread, "other") || pthread_getname_np(thread, name, sizeof name))
        return 1;
    if (strcmp(name, "other") || pthread_setname_np(thread, "longer than a name may be") != ERANGE)
        return 2;
    if (!is_made(name) || !end(thread))
        return 3;
    if (pthread_kill(pthread_self(), 0))
        return 4;
    sem_t *named = sem_open("/everypath-once", O_CREAT, 0600, 1);
    if (named == SEM_FAILED || sem_trywait(named) || !sem_trywait(named))
        return 5;
    return sem_close(named) || sem_unlink("/everypath-once") ? 6 : 0;
}
