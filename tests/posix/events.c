// run: --sym-stdin 1
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include "calls.h"

static void watch(int watch, int command, int descriptor, unsigned events, uint64_t data) {
    struct epoll_event event = {.events = events, .data.u64 = data};
    printf("watch %ld\n", CALL(epoll_ctl, watch, command, descriptor, &event));
}

static void happened(int watch, int most) {
    struct epoll_event events[4];
    long count = CALL(epoll_wait, watch, events, most, 0);
    printf("happened %ld:", count);
    for (long i = 0; i < count; i++)
        printf(" %x of %d", events[i].events, (int)events[i].data.u64);
    printf("\n");
}

static void add(int counter, uint64_t number) {
    printf("add %ld\n", CALL(write, counter, &number, sizeof number));
}

static void count(int counter) {
    uint64_t number = 77;
    long got = CALL(read, counter, &number, sizeof number);
    printf("count %ld %d\n", got, (int)number);
}

/* Counters, timers, and somebody who looks at them. */
int main(void) {
    char in = 0;
    int ends[2];
    CALL(read, 0, &in, 1);
    int counter = (int)CALL(eventfd2, in == '3' ? 3 : 0, EFD_NONBLOCK);
    int tickets = (int)CALL(eventfd2, 2, EFD_NONBLOCK | EFD_SEMAPHORE);
    CALL(pipe2, ends, O_NONBLOCK);
    count(counter);
    count(counter);
    add(counter, 5);
    add(counter, 6);
    add(counter, UINT64_MAX);
    printf("too short %ld\n", CALL(read, counter, &in, 1));
    count(tickets);
    count(tickets);
    count(tickets);

    int all = (int)CALL(epoll_create1, 0);
    watch(all, EPOLL_CTL_ADD, counter, EPOLLIN, 1);
    watch(all, EPOLL_CTL_ADD, ends[0], EPOLLIN | EPOLLET, 2);
    watch(all, EPOLL_CTL_ADD, ends[1], EPOLLOUT | EPOLLONESHOT, 3);
    watch(all, EPOLL_CTL_ADD, counter, EPOLLIN, 4);
    watch(all, EPOLL_CTL_MOD, tickets, EPOLLIN, 5);
    watch(all, EPOLL_CTL_ADD, all, EPOLLIN, 6);
    watch(all, EPOLL_CTL_ADD, 99, EPOLLIN, 7);
    watch(counter, EPOLL_CTL_ADD, ends[0], EPOLLIN, 8);
    int file = opened("file", O_CREAT | O_RDWR);
    watch(all, EPOLL_CTL_ADD, file, EPOLLIN, 9);
    happened(all, 4);
    happened(all, 4);
    count(counter);
    happened(all, 4);
    wrote(ends[1], "one");
    happened(all, 4);
    happened(all, 4);
    watch(all, EPOLL_CTL_MOD, ends[1], EPOLLOUT, 10);
    happened(all, 1);
    printf("none %ld\n", CALL(epoll_wait, all, NULL, 0, 0));
    CALL(close, ends[1]);
    watch(all, EPOLL_CTL_DEL, counter, 0, 0);
    watch(all, EPOLL_CTL_DEL, counter, 0, 0);
    happened(all, 4);

    struct itimerspec soon = {{0, 0}, {0, 2000000}}, old;
    int timer = (int)CALL(timerfd_create, 1, 0);
    printf("timer %ld\n", CALL(timerfd_settime, timer, 0, &soon, &old));
    printf("was %ld %ld\n", (long)old.it_value.tv_sec, (long)old.it_value.tv_nsec);
    count(timer);
    watch(all, EPOLL_CTL_ADD, timer, EPOLLIN, 11);
    happened(all, 4);
    CALL(timerfd_settime, timer, 0, &soon, NULL);
    struct epoll_event event;
    printf("rings %ld\n", CALL(epoll_wait, all, &event, 1, 60000));
    printf("of %d\n", (int)event.data.u64);
    soon.it_value.tv_nsec = 1000000000;
    printf("wrong %ld\n", CALL(timerfd_settime, timer, 0, &soon, NULL));
    printf("no timer %ld\n", CALL(timerfd_settime, counter, 0, &soon, NULL));
    return 0;
}
