// run: --sym-stdin 1
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int order;

static void note(int signal) {
    printf("signal %d, %d\n", signal, ++order);
}

static void nested(int signal) {
    printf("outer %d begins\n", signal);
    raise(SIGUSR1);
    raise(SIGUSR2);
    printf("outer %d ends\n", signal);
}

static void detailed(int signal, siginfo_t *information, void *context) {
    printf("details %d %d\n", signal, information->si_signo);
}

/* Handlers, masks, alarms, and a pipe that nobody reads. */
int main(void) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = note;
    sigaction(SIGUSR1, &action, NULL);
    raise(SIGUSR1);
    printf("after %d\n", order);

    sigset_t set, before;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigprocmask(SIG_BLOCK, &set, &before);
    raise(SIGUSR1);
    printf("blocked %d\n", order);
    sigprocmask(SIG_SETMASK, &before, NULL);
    printf("let through %d\n", order);

    action.sa_handler = nested;
    sigaddset(&action.sa_mask, SIGUSR1);
    sigaction(SIGUSR2, &action, NULL);
    signal(SIGUSR2, SIG_IGN);
    raise(SIGUSR2);
    action.sa_handler = nested;
    sigaction(SIGTERM, &action, NULL);
    raise(SIGTERM);
    printf("all %d\n", order);

    memset(&action, 0, sizeof action);
    action.sa_sigaction = detailed;
    action.sa_flags = SA_SIGINFO | SA_RESETHAND;
    sigaction(SIGHUP, &action, NULL);
    raise(SIGHUP);
    struct sigaction now;
    sigaction(SIGHUP, NULL, &now);
    printf("reset %d\n", now.sa_handler == SIG_DFL);

    signal(SIGALRM, note);
    alarm(1);
    printf("paused %d", pause());
    printf(" %d\n", errno == EINTR);

    int ends[2];
    pipe(ends);
    close(ends[0]);
    signal(SIGPIPE, SIG_IGN);
    long written = write(ends[1], "x", 1);
    printf("nobody reads %ld %d\n", written, errno == EPIPE);

    char byte = 0;
    if (read(0, &byte, 1) == 1 && byte == 'k')
        raise(SIGKILL);
    return 0;
}
