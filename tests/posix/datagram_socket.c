// Datagrams go to anybody; a socket that was not connected is no error for them.
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
int main(void) {
    int socket_of = socket(AF_INET, SOCK_DGRAM, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(9)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    struct sockaddr *to = (struct sockaddr *)&address;
    printf("sent %zd\n", sendto(socket_of, "hello", 5, 0, to, sizeof address));
    printf("listen %d %s\n", listen(socket_of, 1), errno == EOPNOTSUPP ? "EOPNOTSUPP" : "other");
    int made = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0);
    char room[4];
    printf("received %zd %s\n", recv(made, room, sizeof room, 0),
           errno == EAGAIN ? "EAGAIN" : "other");
    printf("connected %d\n", connect(made, to, sizeof address));
    close(made);
    return close(socket_of);
}
