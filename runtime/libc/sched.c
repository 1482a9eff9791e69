/* sched.h: every thread has the ordinary policy, and an ordinary user may ask for no other. */
#include "internal.h"

#define EPERM 1
#define ESRCH 3
#define EINVAL 22

enum { ORDINARY = 0, FIRST_IN_FIRST_OUT = 1, ROUND_ROBIN = 2, BATCH = 3, IDLE = 5 };
enum { LEAST = 1, MOST = 99 };

static int fail(int failure) {
    errno = failure;
    return -1;
}

static int is_real_time(int policy) {
    return policy == FIRST_IN_FIRST_OUT || policy == ROUND_ROBIN;
}

static int is_policy(int policy) {
    return is_real_time(policy) || policy == ORDINARY || policy == BATCH || policy == IDLE;
}

int sched_get_priority_min(int policy) {
    if (!is_policy(policy)) return fail(EINVAL);
    return is_real_time(policy) ? LEAST : 0;
}

int sched_get_priority_max(int policy) {
    if (!is_policy(policy)) return fail(EINVAL);
    return is_real_time(policy) ? MOST : 0;
}

/* Whether there is such a process; zero is the one that asks. */
int kill(int process, int signal);
static int is_there(int process) {
    if (process < 0) {
        errno = EINVAL;
        return 0;
    }
    return process == 0 || kill(process, 0) == 0;
}

int sched_getscheduler(int process) {
    return is_there(process) ? ORDINARY : -1;
}

int sched_getparam(int process, int *priority) {
    if (!priority) return fail(EINVAL);
    if (!is_there(process)) return -1;
    *priority = 0;
    return 0;
}

int sched_setscheduler(int process, int policy, const int *priority) {
    if (!priority || !is_policy(policy)) return fail(EINVAL);
    if (!is_there(process)) return -1;
    if (!is_real_time(policy)) return *priority == 0 ? 0 : fail(EINVAL);
    return *priority >= LEAST && *priority <= MOST ? fail(EPERM) : fail(EINVAL);
}

int sched_setparam(int process, const int *priority) {
    return sched_setscheduler(process, ORDINARY, priority);
}

int sched_rr_get_interval(int process, long interval[2]) {
    if (!is_there(process)) return -1;
    interval[0] = 0;
    interval[1] = 4000000;
    return 0;
}
