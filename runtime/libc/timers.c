/* time.h: timers of POSIX, which send a signal. What else is done with them is musl's. */
#include "internal.h"

enum { CREATE = 222, NOTIFY_THREAD = 2 };

/* As far as the system reads it. */
struct sigevent {
    void *value;
    int signal, notify;
};

int timer_create(int clock, struct sigevent *event, void **timer) {
    int number;
    if (event && event->notify == NOTIFY_THREAD)
        __ep_unsupported("a timer that starts a thread (SIGEV_THREAD)");
    long result = __ep_syscall(CREATE, clock, (long)event, (long)&number, 0, 0, 0);
    if (result == 0) *timer = (void *)(long)number;
    return (int)ep_result(result);
}
