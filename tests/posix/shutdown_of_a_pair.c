/* One direction of a connection ends, and then the other. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

static void show(const char *what, long result) {
    printf("%s: %ld%s\n", what, result, result < 0 && errno == EPIPE ? " EPIPE" : "");
}

int main(void) {
    int ends[2];
    char bytes[4];
    signal(SIGPIPE, SIG_IGN);
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
        return 1;
    show("send", send(ends[0], "hi", 2, 0));
    show("shutdown", shutdown(ends[0], SHUT_WR));
    show("what was sent", recv(ends[1], bytes, sizeof bytes, 0));
    show("its end", recv(ends[1], bytes, sizeof bytes, 0));
    show("send again", send(ends[0], "x", 1, 0));
    struct pollfd asked = {ends[1], POLLIN, 0};
    show("poll", poll(&asked, 1, 0));
    show("readable", asked.revents == POLLIN);
    show("the other way", send(ends[1], "back", 4, 0));
    show("it comes", recv(ends[0], bytes, sizeof bytes, 0));
    show("both", shutdown(ends[1], SHUT_RDWR));
    show("nothing more", recv(ends[0], bytes, sizeof bytes, 0));
    show("nobody reads", send(ends[0], "x", 1, 0));
    show("no direction", shutdown(ends[0], 7));
    return 0;
}
