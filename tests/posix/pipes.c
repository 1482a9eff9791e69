// run: --sym-stdin 1
#include <poll.h>
#include "calls.h"

/* A pipe that stands in for standard output, and back. */
int main(void) {
    int ends[2];
    char bytes[16] = {0}, in = '-';
    printf("pipe %ld\n", CALL(pipe2, ends, O_NONBLOCK));
    printf("empty %ld\n", CALL(read, ends[0], bytes, 4));
    long saved = CALL(fcntl, 1, F_DUPFD, 10);
    CALL(dup2, ends[1], 1);
    CALL(read, 0, &in, 1);
    CALL(write, 1, &in, 1);
    wrote(1, "end");
    CALL(dup2, saved, 1);
    struct pollfd asked[2] = {{ends[0], POLLIN, 0}, {ends[1], POLLOUT, 0}};
    printf("ready %ld %d %d\n", CALL(poll, asked, 2, 0), asked[0].revents, asked[1].revents);
    CALL(close, ends[1]);
    printf("read %ld\n", CALL(read, ends[0], bytes, 16));
    printf("%s%s\n", bytes[0] == 'q' ? "quit " : "", bytes + 1);
    printf("no writer %ld\n", CALL(read, ends[0], bytes, 16));
    printf("seek %ld\n", CALL(lseek, ends[0], 0, SEEK_CUR));
    int pair[2];
    CALL(socketpair, 1, 1, 0, pair);
    wrote(pair[0], "there");
    wrote(pair[1], "back");
    printf("%ld ", CALL(read, pair[1], bytes, 16));
    printf("%ld\n", CALL(read, pair[0], bytes, 16));
    return 0;
}
