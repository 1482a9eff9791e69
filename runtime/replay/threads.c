/* Threads in the native replay: they take turns as the test has it.
 *
 * The program is linked with this file and `--wrap` for every function that has a
 * `__wrap_` here, so that its calls come here first; before atomic accesses stands a call of
 * `__ep_operation`. One thread runs at a time. Each counts the operations of its turn, and at
 * the one where the turn of the test is over it hands on to the next. What waits for a signal,
 * at a barrier or for a place in memory is kept here; locks and semaphores are the system's
 * own, and are only tried.
 *
 * Where the program has a standard library, that library calls wrapped functions as well, and
 * what it does is not counted. The program's own code counts its calls of the library and its
 * returns, and says by `__ep_own_call` when it is the one that calls a wrapped function.
 *
 * After the last turn the threads run as they like. If none can go on they are in a
 * deadlock, which ends the process with status 93; a program in which a turn cannot be taken
 * as the test has it ends with status 92. */

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <linux/futex.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/syscall.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

enum { STATUS_OTHER_TURNS = 92, STATUS_DEADLOCK = 93, MOST_THREADS = 1024, ROUNDS = 3,
       MOST_SIGNALS = 16 };
/* How often a library looks in vain before others get a turn. */
enum { PATIENCE = 16 };

void __ep_leave(int status, const char *message);

/* Whether the program counts its calls of a standard library, and the functions of the C
 * library whose addresses it uses. */
extern const uint64_t __everypath_counts_calls;
/* Whether it cancels threads: then cancellation points are operations, too. */
extern const uint64_t __everypath_cancels;
extern const void *const __everypath_functions_of_c[];

/* The test's turns, and how far they are. */

struct turn {
    unsigned thread, operations;
    bool is_late;
};

static struct turn *turns;
static size_t turn_count, turn;
static unsigned *woken;
static size_t woken_count, waking;
static unsigned passed;
static bool is_followed, is_threaded, is_loaded;

/* The threads, by the order in which they were made. */

struct thread {
    pthread_t handle;
    bool is_alive, is_blocked, is_signalled, is_open, may_give_up;
    bool is_cancelled, is_never_cancelled, is_cancelled_at_once;
    int signals[MOST_SIGNALS];
    unsigned signal_count;
    const void *waits_for;
    unsigned long tried_at;
    int rounds;
    void *(*start)(void *);
    int (*start_c11)(void *);
    void *argument;
};

static struct thread threads[MOST_THREADS];
static unsigned thread_count = 1;
static _Thread_local unsigned me;
static _Thread_local bool is_own_call;
static _Thread_local unsigned looks;
/* It waits at a cancellation point, or in a call that a handler ends; a handler has done so. */
static _Thread_local bool is_at_point, is_interruptible, was_interrupted;
static unsigned long progress;
static pthread_key_t at_end;

static pthread_mutex_t big = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

int __real_pthread_mutex_lock(pthread_mutex_t *);
int __real_pthread_mutex_unlock(pthread_mutex_t *);
int __real_pthread_cond_timedwait(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);
int __real_pthread_cond_wait(pthread_cond_t *, pthread_mutex_t *);
int __real_pthread_cond_broadcast(pthread_cond_t *);
int __real_clock_gettime(clockid_t, struct timespec *);

static void enter(void) {
    __real_pthread_mutex_lock(&big);
}

static void go_out(void) {
    __real_pthread_mutex_unlock(&big);
}

static void tell_all(void) {
    progress++;
    __real_pthread_cond_broadcast(&changed);
}

/* Inside. */

/* The handlers of signals that other threads have sent. Whether there were any. */
static bool take_signals(void) {
    struct thread *self = &threads[me];
    bool are_some = self->signal_count > 0;
    while (self->signal_count > 0) {
        int signal = self->signals[--self->signal_count];
        go_out();
        raise(signal);
        enter();
    }
    return are_some;
}

static void await_turn(void) {
    while (is_followed && turns[turn].thread != me)
        __real_pthread_cond_wait(&changed, &big);
    if (take_signals() && is_interruptible)
        was_interrupted = true;
}

static bool is_to_leave(void) {
    return threads[me].is_cancelled && !threads[me].is_never_cancelled;
}

static void next_turn(void) {
    if (turn + 1 < turn_count) {
        turn++;
        passed = 0;
    } else {
        is_followed = false;
    }
    tell_all();
}

/* Outside: ends the thread if it is to be cancelled. */
static void leave_if_cancelled(void) {
    if (!is_loaded)
        return;
    enter();
    bool leaves = is_to_leave();
    threads[me].is_never_cancelled |= leaves;
    go_out();
    if (leaves)
        pthread_exit(PTHREAD_CANCELED);
}

/* The running thread has come to an operation. */
void __ep_operation(void) {
    is_own_call = false;
    looks = 0;
    if (!is_loaded || !is_threaded)
        return;
    enter();
    progress++;
    if (is_followed) {
        await_turn();
        if (is_followed && passed++ == turns[turn].operations) {
            next_turn();
            await_turn();
        }
    }
    bool leaves = threads[me].is_cancelled_at_once && is_to_leave();
    go_out();
    if (leaves)
        leave_if_cancelled();
}

/* The program's own code is about to call a wrapped function. */
void __ep_own_call(void) {
    is_own_call = true;
}

/* The program's own code is about to call what is at an address. */
void __ep_indirect_call(const void *callee) {
    for (const void *const *of_c = __everypath_functions_of_c; *of_c; of_c++)
        if (*of_c == callee) {
            is_own_call = true;
            return;
        }
    __ep_operation();
}

/* Whether it was the program's own code that called the function which asks first. */
static bool is_called_by_program(void) {
    bool is_own = is_own_call || !__everypath_counts_calls;
    is_own_call = false;
    return is_own;
}

/* The running thread has come to an operation in a wrapped function. */
static void wrapped_operation(void) {
    if (is_called_by_program())
        __ep_operation();
}

/* Whether all threads have tried in vain since something changed last. */
static bool nobody_goes_on(void) {
    for (unsigned i = 0; i < thread_count; i++)
        if (threads[i].is_alive && (!threads[i].is_blocked || threads[i].tried_at != progress))
            return false;
    return true;
}

static bool somebody_gives_up(void) {
    for (unsigned i = 0; i < thread_count; i++)
        if (threads[i].is_alive && threads[i].may_give_up)
            return true;
    return false;
}

static void pause_inside(void) {
    struct timespec soon;
    __real_clock_gettime(CLOCK_REALTIME, &soon);
    soon.tv_nsec += 1000000;
    if (soon.tv_nsec >= 1000000000) {
        soon.tv_sec++;
        soon.tv_nsec -= 1000000000;
    }
    __real_pthread_cond_timedwait(&changed, &big, &soon);
}

/* Lets others run if the turn is over; whether it was. */
static bool give_way(void) {
    enter();
    bool is_last = !is_followed || turn + 1 == turn_count;
    bool is_over = !is_last && passed >= turns[turn].operations;
    if (is_over) {
        next_turn();
        await_turn();
    }
    go_out();
    if (!is_last && !is_over)
        __ep_leave(STATUS_OTHER_TURNS, "a thread has to wait where the test has it go on");
    return is_over;
}

/* Whether the turn of the running thread begins where it finds that its time is over. */
static bool is_too_late(void) {
    enter();
    bool is_late = is_followed && turns[turn].is_late && passed == 0;
    go_out();
    return is_late;
}

/* Whether the wait is over for another reason: the thread is cancelled, or a handler has run. */
static bool is_called_off(void) {
    enter();
    bool is_over = was_interrupted || (is_at_point && is_to_leave());
    go_out();
    return is_over;
}

/* Whether the system will send a signal, whose handler may let somebody go on. */
static bool is_alarm_set(void) {
    struct itimerval left;
    getitimer(ITIMER_REAL, &left);
    return left.it_value.tv_sec || left.it_value.tv_usec;
}

/* Tries until it works; others run meanwhile. Whether it did: a wait with a time limit is over
 * when the test says so, and when nobody else goes on. */
static bool until(bool (*attempt)(void *), void *object, bool is_timed) {
    struct thread *self = &threads[me];
    if (is_called_off())
        return false;
    if (is_timed && is_too_late())
        return false;
    bool works = attempt(object);
    /* A thread that was preempted here may have had its turn only to find that it has to wait. */
    while (!works && give_way()) {
        if (is_called_off())
            return false;
        if (is_timed && is_too_late())
            return false;
        works = attempt(object);
    }
    if (works)
        return true;
    enter();
    is_followed = false;
    self->is_blocked = true;
    self->may_give_up = is_timed;
    tell_all();
    for (;;) {
        unsigned long now = progress;
        go_out();
        works = attempt(object);
        enter();
        if (works)
            break;
        if (take_signals() && is_interruptible)
            was_interrupted = true;
        if (was_interrupted || (is_at_point && is_to_leave()))
            break;
        self->tried_at = now;
        if (nobody_goes_on()) {
            if (is_timed)
                break;
            if (!somebody_gives_up() && !is_alarm_set()) {
                go_out();
                __ep_leave(STATUS_DEADLOCK, "deadlock: no thread can go on");
            }
        }
        pause_inside();
    }
    self->is_blocked = self->may_give_up = false;
    tell_all();
    go_out();
    return works;
}

/* The end of a thread comes after the destructors of what it has of its own; ours is called
 * once in each round of them. */
static void ends(void *self) {
    struct thread *thread = self;
    if (thread->rounds++ < ROUNDS) {
        pthread_setspecific(at_end, thread);
        return;
    }
    enter();
    thread->is_alive = false;
    if (is_followed)
        next_turn();
    tell_all();
    go_out();
}

void __ep_follow_schedule(const char *text, size_t size) {
    char *copy = malloc(size + 1), *rest = copy, *word;
    turns = calloc(size / 2 + 1, sizeof *turns);
    woken = calloc(size / 2 + 1, sizeof *woken);
    if (!copy || !turns || !woken)
        __ep_leave(STATUS_OTHER_TURNS, "no memory for the schedule");
    memcpy(copy, text, size);
    copy[size] = 0;
    while ((word = strsep(&rest, " "))) {
        struct turn *next = &turns[turn_count];
        char late = 0;
        if (sscanf(word, ">%u", &woken[woken_count]) == 1)
            woken_count++;
        else if (sscanf(word, "%u:%u%c", &next->thread, &next->operations, &late) >= 2)
            next->is_late = late == '!', turn_count++;
    }
    free(copy);
    is_loaded = true;
    is_followed = turn_count > 0;
    threads[0].is_alive = true;
    threads[0].handle = pthread_self();
    pthread_key_create(&at_end, ends);
    pthread_setspecific(at_end, &threads[0]);
}

/* Threads. */

int __real_pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int __real_pthread_join(pthread_t, void **);
int __real_thrd_create(thrd_t *, thrd_start_t, void *);
int __real_thrd_join(thrd_t, int *);
int __real_sched_yield(void);
void __real_thrd_yield(void);

static struct thread *begins(void *self) {
    struct thread *thread = self;
    me = (unsigned)(thread - threads);
    pthread_setspecific(at_end, thread);
    enter();
    thread->handle = pthread_self();
    await_turn();
    go_out();
    return thread;
}

static void *run(void *self) {
    struct thread *thread = begins(self);
    return thread->start(thread->argument);
}

static int run_c11(void *self) {
    struct thread *thread = begins(self);
    return thread->start_c11(thread->argument);
}

static struct thread *new_thread(void) {
    if (thread_count == MOST_THREADS)
        __ep_leave(STATUS_OTHER_TURNS, "there are too many threads");
    struct thread *thread = &threads[thread_count++];
    thread->is_alive = true;
    is_threaded = true;
    return thread;
}

int __wrap_pthread_create(pthread_t *name, const pthread_attr_t *attributes,
                          void *(*start)(void *), void *argument) {
    if (!is_loaded)
        return __real_pthread_create(name, attributes, start, argument);
    wrapped_operation();
    enter();
    struct thread *thread = new_thread();
    thread->start = start;
    thread->argument = argument;
    int failure = __real_pthread_create(&thread->handle, attributes, run, thread);
    *name = thread->handle;
    go_out();
    return failure;
}

int __wrap_thrd_create(thrd_t *name, thrd_start_t start, void *argument) {
    if (!is_loaded)
        return __real_thrd_create(name, start, argument);
    wrapped_operation();
    enter();
    struct thread *thread = new_thread();
    thread->start_c11 = start;
    thread->argument = argument;
    int failure = __real_thrd_create(&thread->handle, run_c11, thread);
    *name = thread->handle;
    go_out();
    return failure;
}

static bool has_ended(void *handle) {
    bool is_alive = false;
    enter();
    for (unsigned i = 0; i < thread_count; i++)
        if (threads[i].is_alive && pthread_equal(threads[i].handle, *(pthread_t *)handle))
            is_alive = true;
    go_out();
    return !is_alive;
}

static void await_end(pthread_t handle) {
    wrapped_operation();
    if (!is_loaded)
        return;
    is_at_point = true;
    leave_if_cancelled();
    until(has_ended, &handle, false);
    leave_if_cancelled();
    is_at_point = false;
}

int __wrap_pthread_join(pthread_t handle, void **result) {
    await_end(handle);
    return __real_pthread_join(handle, result);
}

int __real_pthread_tryjoin_np(pthread_t, void **);
int __wrap_pthread_tryjoin_np(pthread_t handle, void **result) {
    wrapped_operation();
    if (is_loaded && !has_ended(&handle))
        return EBUSY;
    return is_loaded ? __real_pthread_join(handle, result) : __real_pthread_tryjoin_np(handle, result);
}

static void pass_until(clockid_t clock, const struct timespec *time);

static int join_until(pthread_t handle, void **result, clockid_t clock,
                      const struct timespec *time) {
    wrapped_operation();
    if (until(has_ended, &handle, true))
        return __real_pthread_join(handle, result);
    pass_until(clock, time);
    return ETIMEDOUT;
}

int __real_pthread_timedjoin_np(pthread_t, void **, const struct timespec *);
int __wrap_pthread_timedjoin_np(pthread_t handle, void **result, const struct timespec *time) {
    if (!is_loaded)
        return __real_pthread_timedjoin_np(handle, result, time);
    return join_until(handle, result, CLOCK_REALTIME, time);
}

int __real_pthread_clockjoin_np(pthread_t, void **, clockid_t, const struct timespec *);
int __wrap_pthread_clockjoin_np(pthread_t handle, void **result, clockid_t clock,
                                const struct timespec *time) {
    if (!is_loaded)
        return __real_pthread_clockjoin_np(handle, result, clock, time);
    return join_until(handle, result, clock, time);
}

int __wrap_thrd_join(thrd_t handle, int *result) {
    await_end(handle);
    return __real_thrd_join(handle, result);
}

/* A library that waits by looking again and again gives way if its turn is over. */
static void look_again(void) {
    if (!is_loaded || !is_threaded || ++looks < PATIENCE)
        return;
    enter();
    if (is_followed && turn + 1 < turn_count && passed >= turns[turn].operations) {
        looks = 0;
        next_turn();
        await_turn();
    }
    go_out();
}

int __wrap_sched_yield(void) {
    if (is_called_by_program())
        __ep_operation();
    else
        look_again();
    return __real_sched_yield();
}

/* Programs and their libraries look at the clock to decide how they wait, and whether for long
 * enough. Who waits for a turn must not be late by that, so that time goes by as in the machine:
 * a little with each look, and with each sleep and each wait in vain as much as it takes. */

enum { LOOK = 1000, SECOND = 1000000000, CLOCKS = 12 };
static uint64_t time_passed;

static bool is_time_ours(void) {
    return is_loaded && turn_count > 0;
}

static struct timespec starts[CLOCKS];

bool __ep_time_is_input(void);
int __wrap_clock_gettime(clockid_t clock, struct timespec *now) {
    bool is_known = clock >= 0 && clock < CLOCKS;
    is_own_call = false;
    if (!is_time_ours() || !is_known || __ep_time_is_input())
        return __real_clock_gettime(clock, now);
    enter();
    struct timespec *start = &starts[clock];
    if (start->tv_sec == 0 && start->tv_nsec == 0)
        __real_clock_gettime(clock, start);
    time_passed += LOOK;
    uint64_t beyond = (uint64_t)start->tv_nsec + time_passed;
    now->tv_sec = start->tv_sec + (time_t)(beyond / SECOND);
    now->tv_nsec = (long)(beyond % SECOND);
    go_out();
    return 0;
}

static uint64_t nanoseconds(const struct timespec *time) {
    return (uint64_t)time->tv_sec * SECOND + (uint64_t)time->tv_nsec;
}

/* Whoever waited for so long has waited in vain. */
static void pass_for(const struct timespec *time) {
    enter();
    time_passed += nanoseconds(time);
    go_out();
}

/* The same of a wait until a time, on a clock that the program has looked at. */
static void pass_until(clockid_t clock, const struct timespec *time) {
    enter();
    bool is_known = clock >= 0 && clock < CLOCKS && starts[clock].tv_sec != 0;
    uint64_t start = is_known ? nanoseconds(&starts[clock]) : 0, end = nanoseconds(time);
    if (is_known && end > start && end - start > time_passed)
        time_passed = end - start;
    go_out();
}

/* A cancellation point of whose caller is known that it is the program. */
static void cancellation_point_of_caller(void) {
    if (!__everypath_cancels)
        return;
    __ep_operation();
    leave_if_cancelled();
}

int __real_nanosleep(const struct timespec *, struct timespec *);
int __wrap_nanosleep(const struct timespec *time, struct timespec *rest) {
    if (!is_time_ours()) {
        if (is_loaded)
            cancellation_point_of_caller();
        return __real_nanosleep(time, rest);
    }
    if (is_called_by_program() || !is_threaded) {
        cancellation_point_of_caller();
        pass_for(time);
        return __real_nanosleep(time, rest);
    }
    look_again();
    enter();
    time_passed += nanoseconds(time);
    bool is_free = !is_followed;
    go_out();
    if (is_free)
        __real_sched_yield();
    return 0;
}

void __wrap_thrd_yield(void) {
    wrapped_operation();
    __real_thrd_yield();
}

/* The end of the program is the end of all threads. */

_Noreturn void __real_exit(int status);
_Noreturn void __wrap_exit(int status) {
    wrapped_operation();
    __real_exit(status);
}

_Noreturn void __real_quick_exit(int status);
_Noreturn void __wrap_quick_exit(int status) {
    wrapped_operation();
    __real_quick_exit(status);
}

/* Locks: an attempt says whether there is a result, and which. */

struct attempt {
    void *lock;
    int result;
};

static const struct timespec never = {0, 0};

#define LOCK(name, type, real, try_it, busy)                                                       \
    static bool try_##name(void *given) {                                                          \
        struct attempt *attempt = given;                                                           \
        type *lock = attempt->lock;                                                                \
        attempt->result = try_it;                                                                  \
        return attempt->result != (busy);                                                          \
    }                                                                                              \
    static int take_##name(type *lock, bool is_timed) {                                            \
        struct attempt attempt = {(void *)lock, 0};                                                \
        if (!is_loaded)                                                                            \
            return real;                                                                           \
        wrapped_operation();                                                                       \
        return until(try_##name, &attempt, is_timed) ? attempt.result : ETIMEDOUT;                 \
    }

int __real_mtx_lock(mtx_t *);
int __real_pthread_rwlock_rdlock(pthread_rwlock_t *);
int __real_pthread_rwlock_wrlock(pthread_rwlock_t *);
int __real_pthread_spin_lock(pthread_spinlock_t *);
int __real_sem_wait(sem_t *);
int __real_pthread_mutex_timedlock(pthread_mutex_t *, const struct timespec *);
int __real_mtx_timedlock(mtx_t *, const struct timespec *);
int __real_pthread_mutex_trylock(pthread_mutex_t *);
int __real_mtx_trylock(mtx_t *);
int __real_pthread_rwlock_tryrdlock(pthread_rwlock_t *);
int __real_pthread_rwlock_trywrlock(pthread_rwlock_t *);
int __real_pthread_spin_trylock(pthread_spinlock_t *);
int __real_sem_trywait(sem_t *);

/* Without a time to wait a mutex says what is wrong with the call, or that it is held. */
LOCK(mutex, pthread_mutex_t, __real_pthread_mutex_lock(lock),
     __real_pthread_mutex_timedlock(lock, &never), ETIMEDOUT)
LOCK(mtx, mtx_t, __real_mtx_lock(lock),
     __real_pthread_mutex_timedlock((pthread_mutex_t *)lock, &never), ETIMEDOUT)
LOCK(read, pthread_rwlock_t, __real_pthread_rwlock_rdlock(lock),
     __real_pthread_rwlock_tryrdlock(lock), EBUSY)
LOCK(write, pthread_rwlock_t, __real_pthread_rwlock_wrlock(lock),
     __real_pthread_rwlock_trywrlock(lock), EBUSY)
LOCK(spin, pthread_spinlock_t, __real_pthread_spin_lock(lock), __real_pthread_spin_trylock(lock),
     EBUSY)
LOCK(semaphore, sem_t, __real_sem_wait(lock), __real_sem_trywait(lock), -1)

int __wrap_pthread_mutex_lock(pthread_mutex_t *lock) {
    return take_mutex(lock, false);
}

int __wrap_mtx_lock(mtx_t *lock) {
    return take_mtx(lock, false) == 0 ? thrd_success : thrd_error;
}

int __wrap_pthread_rwlock_rdlock(pthread_rwlock_t *lock) {
    return take_read(lock, false);
}

int __wrap_pthread_rwlock_wrlock(pthread_rwlock_t *lock) {
    return take_write(lock, false);
}

int __wrap_pthread_spin_lock(pthread_spinlock_t *lock) {
    return take_spin(lock, false);
}

/* A wait for a semaphore is a cancellation point, and a handler ends it. */
static int take_semaphore_or_leave(sem_t *semaphore, bool is_timed) {
    is_at_point = is_interruptible = true;
    int result = take_semaphore(semaphore, is_timed);
    bool is_interrupted = was_interrupted;
    is_at_point = is_interruptible = was_interrupted = false;
    if (result != 0)
        leave_if_cancelled();
    return is_interrupted ? EINTR : result;
}

int __wrap_sem_wait(sem_t *semaphore) {
    int result = take_semaphore_or_leave(semaphore, false);
    if (result != EINTR || !is_loaded)
        return result;
    errno = EINTR;
    return -1;
}

/* What waits until a time, and gives up then. */

#define TAKE_TIMED(name) TIMED_##name
#define TIMED_mutex take_mutex
#define TIMED_read take_read
#define TIMED_write take_write
#define TIMED_semaphore take_semaphore_or_leave

#define TAKE_UNTIL(name, type, real)                                                               \
    static int take_##name##_until(type *lock, clockid_t clock, const struct timespec *time) {     \
        if (!is_loaded)                                                                            \
            return real;                                                                           \
        int result = TAKE_TIMED(name)(lock, true);                                                 \
        if (result == ETIMEDOUT)                                                                   \
            pass_until(clock, time);                                                               \
        return result;                                                                             \
    }

int __real_pthread_mutex_clocklock(pthread_mutex_t *, clockid_t, const struct timespec *);
int __real_pthread_rwlock_clockrdlock(pthread_rwlock_t *, clockid_t, const struct timespec *);
int __real_pthread_rwlock_clockwrlock(pthread_rwlock_t *, clockid_t, const struct timespec *);
int __real_sem_clockwait(sem_t *, clockid_t, const struct timespec *);

TAKE_UNTIL(mutex, pthread_mutex_t, __real_pthread_mutex_clocklock(lock, clock, time))
TAKE_UNTIL(read, pthread_rwlock_t, __real_pthread_rwlock_clockrdlock(lock, clock, time))
TAKE_UNTIL(write, pthread_rwlock_t, __real_pthread_rwlock_clockwrlock(lock, clock, time))
TAKE_UNTIL(semaphore, sem_t, __real_sem_clockwait(lock, clock, time))

int __wrap_pthread_mutex_timedlock(pthread_mutex_t *lock, const struct timespec *time) {
    return take_mutex_until(lock, CLOCK_REALTIME, time);
}

int __wrap_pthread_mutex_clocklock(pthread_mutex_t *lock, clockid_t clock,
        const struct timespec *time) {
    return take_mutex_until(lock, clock, time);
}

int __wrap_pthread_rwlock_timedrdlock(pthread_rwlock_t *lock, const struct timespec *time) {
    return take_read_until(lock, CLOCK_REALTIME, time);
}

int __wrap_pthread_rwlock_clockrdlock(pthread_rwlock_t *lock, clockid_t clock,
        const struct timespec *time) {
    return take_read_until(lock, clock, time);
}

int __wrap_pthread_rwlock_timedwrlock(pthread_rwlock_t *lock, const struct timespec *time) {
    return take_write_until(lock, CLOCK_REALTIME, time);
}

int __wrap_pthread_rwlock_clockwrlock(pthread_rwlock_t *lock, clockid_t clock,
        const struct timespec *time) {
    return take_write_until(lock, clock, time);
}

int __wrap_mtx_timedlock(mtx_t *lock, const struct timespec *time) {
    if (!is_loaded)
        return __real_mtx_timedlock(lock, time);
    switch (take_mtx(lock, true)) {
    case 0:
        return thrd_success;
    case ETIMEDOUT:
        pass_until(CLOCK_REALTIME, time);
        return thrd_timedout;
    default:
        return thrd_error;
    }
}

int __wrap_sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *time) {
    int result = take_semaphore_until(semaphore, clock, time);
    if (result != ETIMEDOUT && result != EINTR)
        return result;
    errno = result;
    return -1;
}

int __wrap_sem_timedwait(sem_t *semaphore, const struct timespec *time) {
    return __wrap_sem_clockwait(semaphore, CLOCK_REALTIME, time);
}

/* What never waits. */

#define AT_ONCE(name)                                                                              \
    wrapped_operation();                                                                              \
    return __real_##name(lock)

int __real_mtx_unlock(mtx_t *);
int __real_pthread_rwlock_unlock(pthread_rwlock_t *);
int __real_pthread_spin_unlock(pthread_spinlock_t *);
int __real_sem_post(sem_t *);

int __wrap_pthread_mutex_trylock(pthread_mutex_t *lock) {
    AT_ONCE(pthread_mutex_trylock);
}

int __wrap_mtx_trylock(mtx_t *lock) {
    AT_ONCE(mtx_trylock);
}

int __wrap_pthread_rwlock_tryrdlock(pthread_rwlock_t *lock) {
    AT_ONCE(pthread_rwlock_tryrdlock);
}

int __wrap_pthread_rwlock_trywrlock(pthread_rwlock_t *lock) {
    AT_ONCE(pthread_rwlock_trywrlock);
}

int __wrap_pthread_spin_trylock(pthread_spinlock_t *lock) {
    AT_ONCE(pthread_spin_trylock);
}

int __wrap_sem_trywait(sem_t *lock) {
    AT_ONCE(sem_trywait);
}

int __wrap_pthread_mutex_unlock(pthread_mutex_t *lock) {
    AT_ONCE(pthread_mutex_unlock);
}

int __wrap_mtx_unlock(mtx_t *lock) {
    AT_ONCE(mtx_unlock);
}

int __wrap_pthread_rwlock_unlock(pthread_rwlock_t *lock) {
    AT_ONCE(pthread_rwlock_unlock);
}

int __wrap_pthread_spin_unlock(pthread_spinlock_t *lock) {
    AT_ONCE(pthread_spin_unlock);
}

int __wrap_sem_post(sem_t *lock) {
    AT_ONCE(sem_post);
}

/* Conditions. */

static bool was_signalled(void *unused) {
    (void)unused;
    enter();
    bool signalled = threads[me].is_signalled;
    go_out();
    return signalled;
}

/* Waits for a signal without the lock; whether one came. */
static bool await_signal(const void *condition, pthread_mutex_t *lock, bool is_timed) {
    struct thread *self = &threads[me];
    struct attempt attempt = {lock, 0};
    bool is_heard = true;
    wrapped_operation();
    leave_if_cancelled();
    is_at_point = true;
    enter();
    self->waits_for = condition;
    self->is_signalled = false;
    __real_pthread_mutex_unlock(lock);
    if (is_followed && turn + 1 < turn_count) {
        next_turn();
        await_turn();
        is_heard = !(is_followed && turns[turn].is_late);
        bool goes_on = is_followed;
        go_out();
        if (!goes_on)
            is_heard = until(was_signalled, NULL, is_timed);
    } else {
        is_followed = false;
        go_out();
        is_heard = until(was_signalled, NULL, is_timed);
    }
    enter();
    self->waits_for = NULL;
    bool leaves = is_to_leave() && !self->is_signalled;
    go_out();
    is_at_point = false;
    until(try_mutex, &attempt, false);
    if (leaves)
        leave_if_cancelled();
    return is_heard;
}

static int await_signal_until(const void *condition, pthread_mutex_t *lock, clockid_t clock,
                              const struct timespec *time) {
    if (await_signal(condition, lock, true))
        return 0;
    pass_until(clock, time);
    return ETIMEDOUT;
}

static void signal_to(const void *condition, bool all) {
    unsigned number = 0, chosen = MOST_THREADS;
    wrapped_operation();
    enter();
    for (unsigned i = 0; i < thread_count; i++)
        if (threads[i].waits_for == condition && !threads[i].is_signalled) {
            if (all)
                threads[i].is_signalled = true;
            else if (chosen == MOST_THREADS)
                chosen = i;
            number++;
        }
    if (!all && number > 1 && waking < woken_count && woken[waking] < thread_count)
        chosen = woken[waking++];
    if (!all && chosen < MOST_THREADS)
        threads[chosen].is_signalled = true;
    tell_all();
    go_out();
}

int __wrap_pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *lock) {
    if (!is_loaded)
        return __real_pthread_cond_wait(condition, lock);
    await_signal(condition, lock, false);
    return 0;
}

int __wrap_pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *lock,
                                  const struct timespec *time) {
    if (!is_loaded)
        return __real_pthread_cond_timedwait(condition, lock, time);
    return await_signal_until(condition, lock, CLOCK_REALTIME, time);
}

int __real_pthread_cond_clockwait(pthread_cond_t *, pthread_mutex_t *, clockid_t,
                                  const struct timespec *);
int __wrap_pthread_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *lock,
                                  clockid_t clock, const struct timespec *time) {
    if (!is_loaded)
        return __real_pthread_cond_clockwait(condition, lock, clock, time);
    return await_signal_until(condition, lock, clock, time);
}

int __real_pthread_cond_signal(pthread_cond_t *);
int __wrap_pthread_cond_signal(pthread_cond_t *condition) {
    if (!is_loaded)
        return __real_pthread_cond_signal(condition);
    signal_to(condition, false);
    return 0;
}

int __wrap_pthread_cond_broadcast(pthread_cond_t *condition) {
    if (!is_loaded)
        return __real_pthread_cond_broadcast(condition);
    signal_to(condition, true);
    return 0;
}

int __real_cnd_wait(cnd_t *, mtx_t *);
int __wrap_cnd_wait(cnd_t *condition, mtx_t *lock) {
    if (!is_loaded)
        return __real_cnd_wait(condition, lock);
    await_signal(condition, (pthread_mutex_t *)lock, false);
    return thrd_success;
}

int __real_cnd_timedwait(cnd_t *, mtx_t *, const struct timespec *);
int __wrap_cnd_timedwait(cnd_t *condition, mtx_t *lock, const struct timespec *time) {
    if (!is_loaded)
        return __real_cnd_timedwait(condition, lock, time);
    bool heard = await_signal(condition, (pthread_mutex_t *)lock, true);
    return heard ? thrd_success : thrd_timedout;
}

int __real_cnd_signal(cnd_t *);
int __wrap_cnd_signal(cnd_t *condition) {
    if (!is_loaded)
        return __real_cnd_signal(condition);
    signal_to(condition, false);
    return thrd_success;
}

int __real_cnd_broadcast(cnd_t *);
int __wrap_cnd_broadcast(cnd_t *condition) {
    if (!is_loaded)
        return __real_cnd_broadcast(condition);
    signal_to(condition, true);
    return thrd_success;
}

/* Cancellation. Threads are never cancelled by the C library, which would end them inside of this
 * file: they leave by themselves, at the points where the machine has them leave. */

static struct thread *thread_of(pthread_t handle) {
    for (unsigned i = 0; i < thread_count; i++)
        if (threads[i].is_alive && pthread_equal(threads[i].handle, handle))
            return &threads[i];
    return NULL;
}

int __real_pthread_cancel(pthread_t);
int __wrap_pthread_cancel(pthread_t handle) {
    if (!is_loaded)
        return __real_pthread_cancel(handle);
    wrapped_operation();
    enter();
    struct thread *other = thread_of(handle);
    if (other)
        other->is_cancelled = true;
    tell_all();
    go_out();
    if (other == &threads[me] && other->is_cancelled_at_once)
        leave_if_cancelled();
    return 0;
}

/* A cancellation point that is an operation of its own. */
static void cancellation_point(void) {
    if (!is_loaded || !__everypath_cancels)
        return;
    wrapped_operation();
    leave_if_cancelled();
}

void __real_pthread_testcancel(void);
void __wrap_pthread_testcancel(void) {
    cancellation_point();
}

static int choose(bool *choice, int new, int *old) {
    if (new != 0 && new != 1)
        return EINVAL;
    if (old)
        *old = *choice;
    *choice = new;
    if (threads[me].is_cancelled_at_once)
        leave_if_cancelled();
    return 0;
}

int __real_pthread_setcancelstate(int, int *);
int __wrap_pthread_setcancelstate(int new, int *old) {
    if (!is_loaded)
        return __real_pthread_setcancelstate(new, old);
    return choose(&threads[me].is_never_cancelled, new, old);
}

int __real_pthread_setcanceltype(int, int *);
int __wrap_pthread_setcanceltype(int new, int *old) {
    if (!is_loaded)
        return __real_pthread_setcanceltype(new, old);
    return choose(&threads[me].is_cancelled_at_once, new, old);
}

unsigned __real_sleep(unsigned);
unsigned __wrap_sleep(unsigned seconds) {
    cancellation_point();
    return __real_sleep(seconds);
}

int __real_usleep(useconds_t);
int __wrap_usleep(useconds_t time) {
    cancellation_point();
    return __real_usleep(time);
}

int __real_clock_nanosleep(clockid_t, int, const struct timespec *, struct timespec *);
int __wrap_clock_nanosleep(clockid_t clock, int flags, const struct timespec *time,
                           struct timespec *rest) {
    cancellation_point();
    return __real_clock_nanosleep(clock, flags, time, rest);
}

int __real_close(int);
int __wrap_close(int descriptor) {
    cancellation_point();
    return __real_close(descriptor);
}

int __real_fsync(int);
int __wrap_fsync(int descriptor) {
    cancellation_point();
    return __real_fsync(descriptor);
}

int __real_open(const char *, int, ...);
int __wrap_open(const char *name, int flags, mode_t mode) {
    cancellation_point();
    return __real_open(name, flags, mode);
}

/* A signal to another thread: its handler is the first that the thread does in its next turn. */
int __real_pthread_kill(pthread_t, int);
int __wrap_pthread_kill(pthread_t handle, int signal) {
    if (!is_loaded || signal <= 0 || pthread_equal(handle, pthread_self()))
        return __real_pthread_kill(handle, signal);
    wrapped_operation();
    enter();
    struct thread *other = thread_of(handle);
    if (other && other->signal_count < MOST_SIGNALS)
        other->signals[other->signal_count++] = signal;
    tell_all();
    go_out();
    return 0;
}

struct awaited {
    const sigset_t *set;
    siginfo_t *information;
    int signal;
};

int __real_sigtimedwait(const sigset_t *, siginfo_t *, const struct timespec *);
static bool try_signal(void *given) {
    struct awaited *awaited = given;
    awaited->signal = __real_sigtimedwait(awaited->set, awaited->information, &never);
    return awaited->signal > 0;
}

int __real_sigwaitinfo(const sigset_t *, siginfo_t *);
int __wrap_sigwaitinfo(const sigset_t *set, siginfo_t *information) {
    struct awaited awaited = {set, information, 0};
    if (!is_loaded || !is_threaded)
        return __real_sigwaitinfo(set, information);
    wrapped_operation();
    is_at_point = is_interruptible = true;
    until(try_signal, &awaited, false);
    is_at_point = is_interruptible = was_interrupted = false;
    if (awaited.signal > 0)
        return awaited.signal;
    leave_if_cancelled();
    errno = EINTR;
    return -1;
}

int __real_sigwait(const sigset_t *, int *);
int __wrap_sigwait(const sigset_t *set, int *signal) {
    if (!is_loaded || !is_threaded)
        return __real_sigwait(set, signal);
    do
        *signal = __wrap_sigwaitinfo(set, NULL);
    while (*signal < 0);
    return 0;
}

/* The machine lets the time pass at once. */
int __wrap_sigtimedwait(const sigset_t *set, siginfo_t *information, const struct timespec *time) {
    if (!time)
        return __wrap_sigwaitinfo(set, information);
    if (!is_loaded || !is_threaded)
        return __real_sigtimedwait(set, information, time);
    wrapped_operation();
    return __real_sigtimedwait(set, information, &never);
}

/* Whether a signal waits that a mask lets through. */
static bool is_let_through(void *mask) {
    sigset_t waiting;
    sigpending(&waiting);
    for (int signal = 1; signal < NSIG; signal++)
        if (sigismember(&waiting, signal) == 1 && sigismember(mask, signal) == 0)
            return true;
    return was_interrupted;
}

int __real_sigsuspend(const sigset_t *);
int __wrap_sigsuspend(const sigset_t *mask) {
    sigset_t own = *mask;
    if (!is_loaded || !is_threaded)
        return __real_sigsuspend(mask);
    wrapped_operation();
    is_at_point = is_interruptible = true;
    bool waits = until(is_let_through, &own, false) && !was_interrupted;
    is_at_point = is_interruptible = was_interrupted = false;
    leave_if_cancelled();
    if (waits)
        return __real_sigsuspend(mask);
    errno = EINTR;
    return -1;
}

int __real_kill(pid_t, int);
int __wrap_kill(pid_t process, int signal) {
    if (is_loaded && is_threaded)
        wrapped_operation();
    return __real_kill(process, signal);
}

int __real_sigqueue(pid_t, int, const union sigval);
int __wrap_sigqueue(pid_t process, int signal, const union sigval value) {
    if (is_loaded && is_threaded)
        wrapped_operation();
    return __real_sigqueue(process, signal, value);
}

static bool was_handled(void *unused) {
    (void)unused;
    return was_interrupted;
}

int __real_pause(void);
int __wrap_pause(void) {
    if (!is_loaded || !is_threaded)
        return __real_pause();
    wrapped_operation();
    is_at_point = is_interruptible = true;
    until(was_handled, NULL, false);
    is_at_point = is_interruptible = was_interrupted = false;
    leave_if_cancelled();
    errno = EINTR;
    return -1;
}

/* Waiting for a place in memory to change. */

static long wait_for_change(uint32_t *place, uint32_t found, int operation,
                            const struct timespec *time) {
    bool is_timed = time;
    struct thread *self = &threads[me];
    bool is_heard = true;
    enter();
    if (__atomic_load_n(place, __ATOMIC_SEQ_CST) != found) {
        go_out();
        errno = EAGAIN;
        return -1;
    }
    bool is_last = !is_followed || turn + 1 == turn_count;
    if (!is_last && passed < turns[turn].operations) {
        go_out();
        __ep_leave(STATUS_OTHER_TURNS, "a thread has to wait where the test has it go on");
    }
    self->waits_for = place;
    self->is_signalled = false;
    bool goes_on = false;
    if (!is_last) {
        next_turn();
        await_turn();
        /* In the machine it may have looked again and again where it waits here, so that it
         * goes on without a signal. Whoever waits for a place has to bear that. */
        goes_on = is_followed;
        is_heard = !(is_followed && turns[turn].is_late);
    } else {
        is_followed = false;
    }
    go_out();
    if (!goes_on)
        is_heard = until(was_signalled, NULL, is_timed);
    enter();
    self->waits_for = NULL;
    go_out();
    if (is_heard)
        return 0;
    if ((operation & FUTEX_CMD_MASK) == FUTEX_WAIT)
        pass_for(time);
    else
        pass_until(operation & FUTEX_CLOCK_REALTIME ? CLOCK_REALTIME : CLOCK_MONOTONIC, time);
    errno = ETIMEDOUT;
    return -1;
}

static long tell_change(const uint32_t *place, uint32_t most) {
    unsigned number = 0, chosen = MOST_THREADS, told = 0;
    enter();
    for (unsigned i = 0; i < thread_count; i++)
        if (threads[i].waits_for == place && !threads[i].is_signalled)
            number++;
    if (most == 1 && number > 1 && waking < woken_count && woken[waking] < thread_count &&
        threads[woken[waking]].waits_for == place)
        chosen = woken[waking++];
    for (unsigned i = 0; i < thread_count && told < most; i++)
        if (threads[i].waits_for == place && !threads[i].is_signalled &&
            (chosen == MOST_THREADS || chosen == i))
            threads[i].is_signalled = true, told++;
    tell_all();
    go_out();
    return told;
}

/* Until when, or for how long, a thread waits that waits like this; null is for ever. The library
 * of C++ waits for ever a while at a time: a limit of the program's own is never exactly that long,
 * because looking at the clock takes time. */
static const struct timespec *limit_of(long operation, const struct timespec *given, bool is_own) {
    bool looks_again = (operation & FUTEX_CMD_MASK) == FUTEX_WAIT && !is_own && given &&
                       given->tv_sec == 2 && given->tv_nsec == 0;
    return looks_again ? NULL : given;
}

long __real_syscall(long, ...);
long __wrap_syscall(long number, long a, long b, long c, long d, long e, long f) {
    bool is_own = is_called_by_program();
    if (number == SYS_futex && is_loaded && (is_threaded || is_time_ours())) {
        const struct timespec *limit = limit_of(b, (const struct timespec *)d, is_own);
        switch (b & FUTEX_CMD_MASK) {
        case FUTEX_WAIT:
        case FUTEX_WAIT_BITSET:
            return wait_for_change((uint32_t *)a, (uint32_t)c, (int)b, limit);
        case FUTEX_WAKE:
        case FUTEX_WAKE_BITSET:
            return tell_change((const uint32_t *)a, (uint32_t)c);
        }
    }
    return __real_syscall(number, a, b, c, d, e, f);
}

/* Barriers. */

enum { MOST_BARRIERS = 256 };

static struct {
    const pthread_barrier_t *barrier;
    unsigned size, waiting;
} barriers[MOST_BARRIERS];

static int place_of(const pthread_barrier_t *barrier) {
    for (int i = 0; i < MOST_BARRIERS; i++)
        if (barriers[i].barrier == barrier)
            return i;
    return -1;
}

int __real_pthread_barrier_init(pthread_barrier_t *, const pthread_barrierattr_t *, unsigned);
int __wrap_pthread_barrier_init(pthread_barrier_t *barrier,
                                const pthread_barrierattr_t *attributes, unsigned size) {
    int failure = __real_pthread_barrier_init(barrier, attributes, size);
    is_own_call = false;
    if (failure || !is_loaded)
        return failure;
    enter();
    int place = place_of(barrier);
    if (place < 0)
        place = place_of(NULL);
    if (place < 0)
        __ep_leave(STATUS_OTHER_TURNS, "there are too many barriers");
    barriers[place].barrier = barrier;
    barriers[place].size = size;
    barriers[place].waiting = 0;
    go_out();
    return 0;
}

static bool is_open(void *unused) {
    (void)unused;
    enter();
    bool open = threads[me].is_open;
    go_out();
    return open;
}

int __real_pthread_barrier_wait(pthread_barrier_t *);
int __wrap_pthread_barrier_wait(pthread_barrier_t *barrier) {
    int place = is_loaded ? place_of(barrier) : -1;
    if (place < 0)
        return __real_pthread_barrier_wait(barrier);
    wrapped_operation();
    enter();
    if (++barriers[place].waiting == barriers[place].size) {
        barriers[place].waiting = 0;
        for (unsigned i = 0; i < thread_count; i++)
            if (threads[i].waits_for == barrier)
                threads[i].waits_for = NULL, threads[i].is_open = true;
        tell_all();
        go_out();
        return PTHREAD_BARRIER_SERIAL_THREAD;
    }
    threads[me].waits_for = barrier;
    threads[me].is_open = false;
    if (is_followed && turn + 1 < turn_count) {
        next_turn();
        await_turn();
    }
    go_out();
    until(is_open, NULL, false);
    return 0;
}

/* What is done once: a thread that finds another at it waits. */

static bool is_done(void *control) {
    enter();
    bool done = *(int *)control == 2;
    go_out();
    return done;
}

static void once(int *control, void (*routine)(void)) {
    wrapped_operation();
    enter();
    int found = *control;
    if (found == 0)
        *control = 1;
    go_out();
    if (found == 0) {
        routine();
        enter();
        *control = 2;
        tell_all();
        go_out();
    } else if (found == 1) {
        enter();
        if (is_followed && turn + 1 < turn_count) {
            next_turn();
            await_turn();
        }
        go_out();
        until(is_done, control, false);
    }
}

int __real_pthread_once(pthread_once_t *, void (*)(void));
int __wrap_pthread_once(pthread_once_t *control, void (*routine)(void)) {
    if (!is_loaded)
        return __real_pthread_once(control, routine);
    once(control, routine);
    return 0;
}

void __real_call_once(once_flag *, void (*)(void));
void __wrap_call_once(once_flag *flag, void (*routine)(void)) {
    if (!is_loaded)
        __real_call_once(flag, routine);
    else
        once((int *)flag, routine);
}

/* What threads tell each other by pipes, pairs of sockets and counters. */

ssize_t __real_read(int, void *, size_t);
ssize_t __real_write(int, const void *, size_t);
int __real_poll(struct pollfd *, nfds_t, int);
int __real_epoll_wait(int, struct epoll_event *, int, int);

static bool is_between_threads(int descriptor) {
    struct stat status;
    if (!is_loaded || !is_threaded || fstat(descriptor, &status) != 0)
        return false;
    mode_t kind = status.st_mode & S_IFMT;
    return kind == S_IFIFO || kind == S_IFSOCK || kind == 0;
}

static bool is_ready(void *given) {
    struct pollfd asked = *(struct pollfd *)given;
    return __real_poll(&asked, 1, 0) != 0;
}

static void await_descriptor(int descriptor, short events) {
    struct pollfd asked = {descriptor, events, 0};
    if (!is_between_threads(descriptor)) {
        cancellation_point();
        return;
    }
    wrapped_operation();
    leave_if_cancelled();
    is_at_point = true;
    if (!(fcntl(descriptor, F_GETFL) & O_NONBLOCK))
        until(is_ready, &asked, false);
    is_at_point = false;
    leave_if_cancelled();
}

ssize_t __wrap_read(int descriptor, void *bytes, size_t count) {
    await_descriptor(descriptor, POLLIN);
    return __real_read(descriptor, bytes, count);
}

ssize_t __wrap_write(int descriptor, const void *bytes, size_t count) {
    await_descriptor(descriptor, POLLOUT);
    return __real_write(descriptor, bytes, count);
}

int __real_eventfd_read(int, eventfd_t *);
int __wrap_eventfd_read(int descriptor, eventfd_t *number) {
    await_descriptor(descriptor, POLLIN);
    return __real_eventfd_read(descriptor, number);
}

int __real_eventfd_write(int, eventfd_t);
int __wrap_eventfd_write(int descriptor, eventfd_t number) {
    await_descriptor(descriptor, POLLOUT);
    return __real_eventfd_write(descriptor, number);
}

struct polled {
    struct pollfd *asked;
    nfds_t count;
    int result;
};

static bool is_any_ready(void *given) {
    struct polled *polled = given;
    polled->result = __real_poll(polled->asked, polled->count, 0);
    return polled->result != 0;
}

int __wrap_poll(struct pollfd *asked, nfds_t count, int timeout) {
    struct polled polled = {asked, count, 0};
    if (!is_loaded || !is_threaded)
        return __real_poll(asked, count, timeout);
    wrapped_operation();
    if (timeout >= 0)
        return __real_poll(asked, count, timeout);
    until(is_any_ready, &polled, false);
    return polled.result;
}

struct watched {
    struct epoll_event *events;
    int watch, most, result;
};

static bool has_happened(void *given) {
    struct watched *watched = given;
    watched->result = __real_epoll_wait(watched->watch, watched->events, watched->most, 0);
    return watched->result != 0;
}

int __wrap_epoll_wait(int watch, struct epoll_event *events, int most, int timeout) {
    struct watched watched = {events, watch, most, 0};
    if (!is_loaded || !is_threaded)
        return __real_epoll_wait(watch, events, most, timeout);
    wrapped_operation();
    if (timeout >= 0)
        return __real_epoll_wait(watch, events, most, timeout);
    until(has_happened, &watched, false);
    return watched.result;
}
