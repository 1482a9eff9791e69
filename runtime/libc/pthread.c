/* pthread.h: what the machine's threads have no use for, or what musl does with structures that
 * they do not have. Everything else is the machine's or musl's. */
#include "internal.h"

#define ENOENT 2
#define ESRCH 3
#define EINVAL 22
#define ERANGE 34

/* The stack is the machine's and at no address; where it would be, nothing else is. */
enum { STACK_SIZE = 8 << 20, GUARD_SIZE = 4096, ATTRIBUTES = 7 };
static const unsigned long stack_end = 1UL << 60;

/* Attributes as musl lays them out: size, guard, and where the stack begins to grow. */
int pthread_getattr_np(unsigned long thread, unsigned long *attributes) {
    (void)thread;
    memset(attributes, 0, ATTRIBUTES * sizeof *attributes);
    attributes[0] = STACK_SIZE;
    attributes[1] = GUARD_SIZE;
    attributes[2] = stack_end;
    return 0;
}

/* Other threads may be quicker here. */
void __ep_before(const void *object);
int __pthread_once_full(int *control, void (*initialise)(void));

/* musl looks first without an atomic access, which orders nothing for who is second. */
int pthread_once(int *control, void (*initialise)(void)) {
    __ep_before(control);
    return __pthread_once_full(control, initialise);
}

void call_once(int *control, void (*initialise)(void)) {
    pthread_once(control, initialise);
}

/* Names, by the number of a thread, which its handle is. */
enum { NAME_SIZE = 16, NAMED = 64 };
static char names[NAMED][NAME_SIZE];

int pthread_setname_np(unsigned long thread, const char *name) {
    size_t length = strlen(name);
    if (length >= NAME_SIZE) return ERANGE;
    if (thread >= NAMED) return ENOENT;
    memcpy(names[thread], name, length + 1);
    return 0;
}

int pthread_getname_np(unsigned long thread, char *name, size_t size) {
    if (size < NAME_SIZE) return ERANGE;
    if (thread >= NAMED) return ENOENT;
    memcpy(name, names[thread], NAME_SIZE);
    return 0;
}

/* Every thread has the ordinary policy and priority, and runs on every processor. */
int pthread_getschedparam(unsigned long thread, int *policy, int *priority) {
    (void)thread;
    *policy = *priority = 0;
    return 0;
}

int pthread_setschedparam(unsigned long thread, int policy, const int *priority) {
    (void)thread;
    if (policy != 0 || *priority != 0)
        __ep_unsupported("a thread with a scheduling policy of its own");
    return 0;
}

int pthread_setschedprio(unsigned long thread, int priority) {
    return pthread_setschedparam(thread, 0, &priority);
}

int sched_getaffinity(int thread, size_t size, void *set);
int pthread_getaffinity_np(unsigned long thread, size_t size, void *set) {
    (void)thread;
    return sched_getaffinity(0, size, set) < 0 ? errno : 0;
}

int pthread_setaffinity_np(unsigned long thread, size_t size, const void *set) {
    (void)thread, (void)size, (void)set;
    return 0;
}

int pthread_getcpuclockid(unsigned long thread, int *clock) {
    (void)thread;
    *clock = 3;
    return 0;
}

/* The system's numbers of threads follow that of the process, and handles begin at one. */
enum { FIRST_THREAD = 1000, SEND = 200, SEND_QUEUED = 297, QUEUED = -1 };

static int number_of(unsigned long thread) {
    return FIRST_THREAD + (int)thread - 1;
}

/* A thread that has ended and can still be joined takes any signal. */
static int sent(long result) {
    return result == -ESRCH ? 0 : (int)-result;
}

int pthread_kill(unsigned long thread, int signal) {
    return sent(__ep_syscall(SEND, number_of(thread), signal, 0, 0, 0, 0));
}

int pthread_sigqueue(unsigned long thread, int signal, void *value) {
    struct {
        int signal, error, code, padding, process, user;
        void *value;
        char rest[96];
    } information = {.signal = signal, .code = QUEUED, .process = FIRST_THREAD,
                     .user = FIRST_THREAD, .value = value};
    return sent(__ep_syscall(SEND_QUEUED, FIRST_THREAD, number_of(thread), signal,
                             (long)&information, 0, 0));
}

/* Attributes of a mutex are a word, whose lowest bits are musl's. A mutex keeps them where the
 * machine looks for its kind. Threads of one priority have no use for what the others say. */
enum { PROTOCOL = 8, PROTOCOLS = 3, PROTECT = 2, CEILING = 16, CEILINGS = 0xff, KIND = 4 };
enum { LEAST_CEILING = 1, MOST_CEILING = 99 };

static unsigned with_ceiling(unsigned word, int ceiling) {
    return (word & ~((unsigned)CEILINGS << CEILING)) | (unsigned)ceiling << CEILING;
}

static int ceiling_of(unsigned word) {
    int ceiling = word >> CEILING & CEILINGS;
    return ceiling < LEAST_CEILING ? LEAST_CEILING : ceiling;
}

static int is_ceiling(int ceiling) {
    return ceiling >= LEAST_CEILING && ceiling <= MOST_CEILING;
}

int pthread_mutexattr_setprotocol(unsigned *attributes, int protocol) {
    if (protocol < 0 || protocol > PROTECT) return EINVAL;
    *attributes = (*attributes & ~((unsigned)PROTOCOLS << PROTOCOL)) | (unsigned)protocol << PROTOCOL;
    return 0;
}

int pthread_mutexattr_getprotocol(const unsigned *attributes, int *protocol) {
    *protocol = *attributes >> PROTOCOL & PROTOCOLS;
    return 0;
}

int pthread_mutexattr_setprioceiling(unsigned *attributes, int ceiling) {
    if (!is_ceiling(ceiling)) return EINVAL;
    *attributes = with_ceiling(*attributes, ceiling);
    return 0;
}

int pthread_mutexattr_getprioceiling(const unsigned *attributes, int *ceiling) {
    *ceiling = ceiling_of(*attributes);
    return 0;
}

int pthread_mutex_getprioceiling(const unsigned *mutex, int *ceiling) {
    if ((mutex[KIND] >> PROTOCOL & PROTOCOLS) != PROTECT) return EINVAL;
    *ceiling = ceiling_of(mutex[KIND]);
    return 0;
}

int pthread_mutex_lock(void *mutex);
int pthread_mutex_unlock(void *mutex);
int pthread_mutex_setprioceiling(unsigned *mutex, int ceiling, int *old) {
    if ((mutex[KIND] >> PROTOCOL & PROTOCOLS) != PROTECT || !is_ceiling(ceiling)) return EINVAL;
    int failure = pthread_mutex_lock(mutex);
    if (failure) return failure;
    if (old) *old = ceiling_of(mutex[KIND]);
    mutex[KIND] = with_ceiling(mutex[KIND], ceiling);
    return pthread_mutex_unlock(mutex);
}

/* Attributes of a thread say where its stack ends, or nothing. */
int pthread_attr_getstack(const unsigned long *attributes, void **stack, size_t *size) {
    *size = attributes[0];
    *stack = (void *)(attributes[2] ? attributes[2] - attributes[0] : 0);
    return 0;
}

int pthread_attr_setschedpolicy(int *attributes, int policy) {
    enum { PLACE = 8, ROUND_ROBIN = 2 };
    if (policy < 0 || policy > ROUND_ROBIN) return EINVAL;
    attributes[PLACE] = policy;
    return 0;
}
