/* What the tests of the C library share.
 *
 * Every symbol of the library is given the prefix `ours_` after it was compiled,
 * so that it stands beside glibc in one program; OURS(strlen) declares
 * ours_strlen with the type the system's header gives to strlen. The primitives
 * the machine would provide are defined here. */
#ifndef EVERYPATH_TESTS_HARNESS_H
#define EVERYPATH_TESTS_HARNESS_H

#include <stdbool.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define OURS(name) extern __typeof__(name) ours_##name

/* Primitives. */

/* The real kernel, with errors as it gives them. */
long ours___ep_syscall(long number, long a, long b, long c, long d, long e, long f) {
    int before = errno;
    long result = syscall(number, a, b, c, d, e, f);
    if (result == -1)
        result = -errno;
    errno = before;
    return result;
}

static char written[1 << 16];
static size_t written_count;
static int written_fd;
long ours___ep_write(int fd, const void *bytes, size_t count) {
    if (fd > 2)
        return ours___ep_syscall(SYS_write, fd, (long)bytes, (long)count, 0, 0, 0);
    written_fd = fd;
    for (size_t i = 0; i < count && written_count < sizeof written; i++)
        written[written_count++] = ((const char *)bytes)[i];
    return (long)count;
}

static const char *input;
static size_t input_left;
long ours___ep_read(int fd, void *bytes, size_t count) {
    if (fd != 0)
        return ours___ep_syscall(SYS_read, fd, (long)bytes, (long)count, 0, 0, 0);
    /* Less than was asked for, now and then, as a terminal would give. */
    size_t given = count < input_left ? count : input_left;
    given = given > 5 ? 5 : given;
    memcpy(bytes, input, given);
    input += given;
    input_left -= given;
    return (long)given;
}

/* How the library ended the program, when it did. */
static jmp_buf at_end;
static char end_of_program[256];
_Noreturn void ours___ep_exit(int status) {
    snprintf(end_of_program, sizeof end_of_program, "exit %d", status);
    longjmp(at_end, 1);
}
void ours___ep_before(const void *object) { (void)object; }
int ours___ep_sem_trywait(void *semaphore) {
    return -1;
}
int ours___ep_sem_timedwait(void *semaphore, const void *limit) {
    return -1;
}
int ours___ep_sem_wait(void *semaphore) {
    return -1;
}
int ours_sem_init(void *semaphore, int shared, unsigned count) {
    return 0;
}
unsigned long ours_pthread_self(void) { return 1; }
_Noreturn void ours___ep_abort(void) {
    snprintf(end_of_program, sizeof end_of_program, "abort");
    longjmp(at_end, 1);
}
_Noreturn void ours___ep_unsupported(const char *what) {
    snprintf(end_of_program, sizeof end_of_program, "unsupported: %s", what);
    longjmp(at_end, 1);
}
_Noreturn void ours___ep_assert_fail(const char *condition, const char *file, unsigned line,
                                     const char *function) {
    snprintf(end_of_program, sizeof end_of_program, "%s:%u: %s: %s", file, line, function,
             condition);
    longjmp(at_end, 1);
}

void ours___ep_apart(const void *to, const void *from, size_t count) {
    (void)to, (void)from, (void)count;
}
uint64_t ours___ep_example(uint64_t value) { return value; }
bool ours___ep_is_open(uint64_t value) { return value != value; }
bool ours___ep_may_hold(uint64_t condition) { return condition != 0; }
bool ours___ep_is_inside(const void *address) { return address != NULL; }
bool ours___ep_is_result_read(void) { return true; }
uint64_t ours___ep_hold(uint64_t value) { return value; }
/* Both ways of comparing are tried: short ranges in one, long ones in the other. */
bool ours___ep_is_for_standard_library(void) { return true; }
void ours___ep_argument(const void *list, int taken, char letter) {
    (void)list, (void)taken, (void)letter;
}

/* Nothing is thrown here. */
int ours___ep_next_clause(void *at) { return at ? 0 : 0; }
void ours___ep_uncaught(void *exception) { (void)exception; }
_Noreturn void ours___ep_unwind(void *exception) {
    (void)exception;
    abort();
}
void *ours_malloc(size_t size) { return malloc(size); }
void *ours_calloc(size_t count, size_t size) { return calloc(count, size); }
void *ours_realloc(void *block, size_t size) { return realloc(block, size); }
void ours_free(void *block) { free(block); }

/* What the rest of a C library does; the system's has a name of its own here, whatever its
 * headers say. */
#define SYSTEMS(type, name, parameters, arguments)                                                 \
    type system_##name parameters __asm__(#name);                                                  \
    type ours_##name parameters { return system_##name arguments; }
SYSTEMS(void *, readdir, (void *directory), (directory))
SYSTEMS(int, alphasort, (const void *a, const void *b), (a, b))
SYSTEMS(int, versionsort, (const void *a, const void *b), (a, b))
SYSTEMS(int, scandir, (const char *name, void *entries, void *select, void *compare), (name, entries, select, compare))
SYSTEMS(int, statvfs, (const char *name, void *status), (name, status))
SYSTEMS(int, fstatvfs, (int fd, void *status), (fd, status))
SYSTEMS(int, mkstemp, (char *name), (name))
SYSTEMS(int, mkostemp, (char *name, int flags), (name, flags))
SYSTEMS(int, mkstemps, (char *name, int suffix), (name, suffix))
SYSTEMS(size_t, mbrtowc, (void *to, const char *from, size_t count, void *state), (to, from, count, state))
SYSTEMS(size_t, wcrtomb, (char *to, int wide, void *state), (to, wide, state))
SYSTEMS(size_t, wcslen, (const void *s), (s))
SYSTEMS(int, raise, (int signal), (signal))
SYSTEMS(int, kill, (int process, int signal), (process, signal))
SYSTEMS(int, sigprocmask, (int how, const void *set, void *old), (how, set, old))
SYSTEMS(int, sigsuspend, (const void *mask), (mask))
SYSTEMS(int, getrlimit, (int resource, void *limits), (resource, limits))
SYSTEMS(int, pthread_mutex_lock, (void *lock), (lock))
SYSTEMS(int, pthread_mutex_unlock, (void *lock), (lock))
SYSTEMS(int, sched_getaffinity, (int thread, size_t size, void *set), (thread, size, set))
int system_pthread_once(void *control, void *initialise) __asm__("pthread_once");
int ours___pthread_once_full(int *control, void (*initialise)(void)) {
    return system_pthread_once(control, initialise);
}

/* errno of the library, beside that of glibc. */
int *ours___errno_location(void);
#define ours_errno (*ours___errno_location())

/* Checking. */

static int failures;
static long checks;
#define CHECK(condition, ...)                                                                      \
    do {                                                                                           \
        checks++;                                                                                  \
        if (!(condition) && failures++ < 20) {                                                     \
            printf("%s:%d: %s: ", __FILE__, __LINE__, #condition);                                 \
            printf(__VA_ARGS__);                                                                   \
            printf("\n");                                                                          \
        }                                                                                          \
    } while (0)

/* Ends a test; the caller looks at the status and the number of checks. */
static int finish(void) {
    printf("%ld checks, %d failures\n", checks, failures);
    return failures != 0;
}

static int sign(long value) {
    return (value > 0) - (value < 0);
}

/* The same random numbers on every machine (xorshift64*). */
static uint64_t random_state = 88172645463325252u;
static uint64_t any(void) {
    random_state ^= random_state >> 12;
    random_state ^= random_state << 25;
    random_state ^= random_state >> 27;
    return random_state * 2685821657736338717u;
}
static unsigned below(unsigned bound) {
    return (unsigned)(any() >> 33) % bound;
}

/* A number with few or many significant bits, of either sign. */
static uint64_t any_integer(void) {
    uint64_t value = any() >> below(64);
    switch (below(8)) {
    case 0:
        return -value;
    case 1:
        return ~(uint64_t)0 >> below(64);
    case 2:
        return (uint64_t)1 << below(64);
    case 3:
        return 0;
    default:
        return value;
    }
}

/* A double of any kind: often short in decimal, sometimes any bits at all. */
static double any_double(void) {
    union {
        uint64_t bits;
        double value;
    } random = {any()};
    static const double special[] = {
        0,     -0.0, 1,     0.5,  2.5,  9.5,    99.5,    0.1,    1e22,   1e23,        1e-5,
        1e15,  1e16, 1e17,  1e-4, 1e-7, 12345., 4.35e-3, 9.995,  0.25,   999999.5,    5e-324,
        1e308, 1024, 8.5,   -1,   1e-310, 2.2250738585072014e-308, 1.7976931348623157e308,
        123456789.0, 1 / 0.0, -1 / 0.0,
    };
    switch (below(4)) {
    case 0:
        return special[below(sizeof special / sizeof *special)];
    case 1:
        return (double)(int64_t)any_integer() / (1 << below(20));
    case 2:
        return (double)(int)below(100000) / 1000 * (below(2) ? 1 : -1);
    default:
        return random.value;
    }
}

#endif
