/* Semaphores, barriers, read-write locks, keys with destructors, recursive locks,
 * thread-local variables, C11's names. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <threads.h>

static sem_t items;
static pthread_barrier_t both;
static pthread_rwlock_t table = PTHREAD_RWLOCK_INITIALIZER;
static pthread_key_t key;
static int value = 1, freed;
static _Thread_local int own = 5;

static void release(void *memory) {
    free(memory);
    freed++;
}

static void *work(void *unused) {
    assert(own == 5);
    own = 7;
    pthread_setspecific(key, malloc(4));
    sem_wait(&items);
    pthread_rwlock_rdlock(&table);
    int seen = value;
    pthread_rwlock_unlock(&table);
    pthread_barrier_wait(&both);
    assert(seen == 2 && own == 7);
    return unused;
}

static int c11(void *number) { return *(int *)number; }

int main(void) {
    pthread_mutexattr_t recursive;
    pthread_mutex_t lock;
    pthread_mutexattr_init(&recursive);
    pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&lock, &recursive);
    pthread_mutex_lock(&lock);
    assert(pthread_mutex_trylock(&lock) == 0);
    pthread_mutex_unlock(&lock);
    pthread_mutex_unlock(&lock);
    pthread_mutex_destroy(&lock);

    pthread_t thread;
    sem_init(&items, 0, 0);
    assert(sem_trywait(&items) == -1);
    pthread_barrier_init(&both, NULL, 2);
    pthread_key_create(&key, release);
    pthread_create(&thread, NULL, work, NULL);
    pthread_rwlock_wrlock(&table);
    value = 2;
    pthread_rwlock_unlock(&table);
    sem_post(&items);
    pthread_barrier_wait(&both);
    pthread_join(thread, NULL);
    assert(own == 5 && freed == 1);

    thrd_t other;
    int number = 9, result;
    assert(thrd_create(&other, c11, &number) == thrd_success);
    thrd_join(other, &result);
    assert(result == 9);
    return 0;
}
