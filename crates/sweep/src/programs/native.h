/* Around a native program: it is run once for each byte, each time in a process of its own. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static int sweep_byte;

static unsigned char sweep_input(void) {
    for (; sweep_byte < 256; sweep_byte++) {
        fflush(stdout);
        pid_t child = fork();
        if (child == 0) {
            /* Its own time: a busy machine makes no program hang. */
            setrlimit(RLIMIT_CPU, &(struct rlimit){1, 2});
            return (unsigned char)sweep_byte;
        }
        int status = 0;
        if (child < 0 || waitpid(child, &status, 0) < 0) abort();
        if (WIFSIGNALED(status))
            printf("%d %s\n", sweep_byte, WTERMSIG(status) == SIGXCPU ? "hang" : "crash");
        else if (WEXITSTATUS(status) != 0)
            printf("%d crash\n", sweep_byte);
    }
    fflush(stdout);
    _exit(0);
}

static void sweep_end(unsigned long result) {
    printf("%d %lu\n", sweep_byte, result);
    fflush(stdout);
    _exit(0);
}
