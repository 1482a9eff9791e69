#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int rings, sum;

static void ring(int signal, siginfo_t *information, void *context) {
    rings++;
    sum += information->si_value.sival_int;
    if (information->si_code != SI_TIMER && information->si_code != SI_QUEUE)
        printf("code %d\n", information->si_code);
}

static void nothing(int signal) {
    (void)signal;
}

/* Timers of POSIX, signals that are queued and waited for, and what the system says of itself. */
int main(void) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = ring;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGUSR1, &action, NULL);
    sigaction(SIGRTMIN, &action, NULL);

    struct sigevent event;
    memset(&event, 0, sizeof event);
    event.sigev_notify = SIGEV_SIGNAL;
    event.sigev_signo = SIGUSR1;
    event.sigev_value.sival_int = 5;
    timer_t timer;
    printf("made %d\n", timer_create(CLOCK_MONOTONIC, &event, &timer));
    struct itimerspec time = {.it_value = {0, 20000000}}, left;
    printf("set %d\n", timer_settime(timer, 0, &time, NULL));
    timer_gettime(timer, &left);
    printf("left %d\n", left.it_value.tv_sec == 0 && left.it_value.tv_nsec > 0);
    pause();
    printf("rang %d, %d\n", rings, sum);
    timer_gettime(timer, &left);
    printf("over %d\n", left.it_value.tv_sec == 0 && left.it_value.tv_nsec == 0);
    time.it_value.tv_nsec = 1000000000;
    printf("no time %d\n", timer_settime(timer, 0, &time, NULL) == -1 && errno == EINVAL);
    printf("overrun %d, deleted %d\n", timer_getoverrun(timer), timer_delete(timer));

    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGRTMIN);
    sigaddset(&set, SIGUSR2);
    sigprocmask(SIG_BLOCK, &set, NULL);
    union sigval value;
    for (int i = 1; i <= 3; i++) {
        value.sival_int = i;
        sigqueue(getpid(), SIGRTMIN, value);
    }
    raise(SIGUSR2);
    raise(SIGUSR2);
    siginfo_t information;
    struct timespec soon = {0, 1000000};
    printf("got %d\n", sigtimedwait(&set, &information, &soon) == SIGUSR2);
    for (int i = 0; i < 3; i++) {
        int got = sigwaitinfo(&set, &information);
        printf("queued %d %d %d\n", got == SIGRTMIN, information.si_code == SI_QUEUE,
               information.si_value.sival_int);
    }
    printf("nothing %d\n", sigtimedwait(&set, &information, &soon) == -1 && errno == EAGAIN);
    int number;
    raise(SIGUSR2);
    printf("waited %d, %d\n", sigwait(&set, &number), number == SIGUSR2);

    action.sa_handler = nothing;
    action.sa_flags = 0;
    sigaction(SIGALRM, &action, NULL);
    alarm(1);
    struct timespec long_time = {100, 0}, rest;
    printf("slept %d\n", nanosleep(&long_time, &rest) == -1 && errno == EINTR && rest.tv_sec >= 98);

    printf("pages %ld, ticks %ld\n", sysconf(_SC_PAGESIZE), sysconf(_SC_CLK_TCK));
    printf("stack %d\n", sysconf(_SC_SIGSTKSZ) > 0 && PTHREAD_STACK_MIN == 16384);
    printf("priorities %d %d, %d\n", sched_get_priority_min(SCHED_FIFO),
           sched_get_priority_max(SCHED_FIFO), sched_getscheduler(0));
    clockid_t clock;
    printf("clock %d\n", clock_getcpuclockid(getpid(), &clock) == 0 && clock_gettime(clock, &soon) == 0);
    printf("no signal %d\n", sigismember(&set, -1) == -1 && errno == EINVAL);
    return 0;
}
