/* Semaphores are the machine's; what they say of failures is C, and so are their names. */
#include "internal.h"

#define EINTR 4
#define EAGAIN 11
#define EINVAL 22
#define ETIMEDOUT 110

struct timespec;
int __ep_sem_trywait(void *semaphore);
int __ep_sem_wait(void *semaphore);
int __ep_sem_timedwait(void *semaphore, const struct timespec *limit);

int sem_trywait(void *semaphore) {
    if (__ep_sem_trywait(semaphore) == 0) return 0;
    errno = EAGAIN;
    return -1;
}

/* How waits end in vain: the time is over, a handler came between, it is no time. */
static int waited(int outcome) {
    static const int failures[] = {ETIMEDOUT, EINTR, EINVAL};
    if (outcome == 0) return 0;
    errno = failures[-outcome - 1];
    return -1;
}

int sem_wait(void *semaphore) {
    return waited(__ep_sem_wait(semaphore));
}

int sem_timedwait(void *semaphore, const struct timespec *limit) {
    return waited(__ep_sem_timedwait(semaphore, limit));
}

int sem_clockwait(void *semaphore, int clock, const struct timespec *limit) {
    (void)clock;
    return sem_timedwait(semaphore, limit);
}

#define ENOENT 2
#define EEXIST 17
#define ENFILE 23
#define O_CREAT 0100
#define O_EXCL 0200

int strcmp(const char *a, const char *b);
int sem_init(void *semaphore, int shared, unsigned count);

/* Named semaphores: other processes than the program's own there are none. */
enum { SEMAPHORES = 16, NAME_SIZE = 64, SIZE = 32 };
static struct named {
    char name[NAME_SIZE];
    unsigned users;
    char semaphore[SIZE] __attribute__((aligned(16)));
} semaphores[SEMAPHORES];

static struct named *find_semaphore(const char *name) {
    for (int i = 0; i < SEMAPHORES; i++)
        if (semaphores[i].name[0] && strcmp(semaphores[i].name, name) == 0) return &semaphores[i];
    return NULL;
}

static void *fail(int failure) {
    errno = failure;
    return NULL;
}

void *sem_open(const char *name, int flags, ...) {
    size_t length = strlen(name);
    if (length == 0 || length >= NAME_SIZE) return fail(EINVAL);
    struct named *known = find_semaphore(name);
    if (known && (flags & O_CREAT) && (flags & O_EXCL)) return fail(EEXIST);
    if (known) {
        known->users++;
        return known->semaphore;
    }
    if (!(flags & O_CREAT)) return fail(ENOENT);
    va_list more;
    va_start(more, flags);
    va_arg(more, unsigned);
    unsigned count = va_arg(more, unsigned);
    va_end(more);
    for (int i = 0; i < SEMAPHORES; i++) {
        struct named *new = &semaphores[i];
        if (new->name[0] || new->users) continue;
        memcpy(new->name, name, length + 1);
        new->users = 1;
        sem_init(new->semaphore, 0, count);
        return new->semaphore;
    }
    return fail(ENFILE);
}

int sem_close(void *semaphore) {
    for (int i = 0; i < SEMAPHORES; i++)
        if (semaphores[i].semaphore == semaphore && semaphores[i].users > 0) {
            semaphores[i].users--;
            return 0;
        }
    errno = EINVAL;
    return -1;
}

int sem_unlink(const char *name) {
    struct named *known = find_semaphore(name);
    if (!known) {
        errno = ENOENT;
        return -1;
    }
    known->name[0] = 0;
    return 0;
}
