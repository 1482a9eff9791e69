// Two threads meet in one slot of a table for some inputs only, whoever is first.
#include <everypath.h>
#include <pthread.h>

static int slots[8];
static unsigned mine, yours;

static void *count(void *unused) {
    slots[yours % 8]++; // error: data-race
    return unused;
}

int main(void) {
    ep_symbolic(&mine, sizeof mine, "mine");
    ep_symbolic(&yours, sizeof yours, "yours");
    ep_assume(mine < 5);
    pthread_t thread;
    pthread_create(&thread, NULL, count, NULL);
    slots[mine + 3]++;
    slots[1]++;
    pthread_join(thread, NULL);
    slots[yours % 8]++;
    return 0;
}
