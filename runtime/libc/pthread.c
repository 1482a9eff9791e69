/* pthread.h: what the machine's threads have no use for, or what musl does with structures that
 * they do not have. Everything else is the machine's or musl's. */
#include "internal.h"

#define ENOENT 2
#define ESRCH 3
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

/* A signal comes to the program, whose first handler runs in the thread that sends it. */
unsigned long pthread_self(void);
int raise(int signal);
int pthread_kill(unsigned long thread, int signal) {
    if (signal == 0) return 0;
    if (thread != pthread_self())
        __ep_unsupported("a signal from one thread to another (pthread_kill)");
    return raise(signal) < 0 ? errno : 0;
}
