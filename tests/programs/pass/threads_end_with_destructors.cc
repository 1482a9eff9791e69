// A thread of C++ that ends in the midst of its functions: their objects are destroyed, the inner ones first.
#include "everypath.h"
#include <pthread.h>

static int order[4], count;

struct Noted {
    int number;
    explicit Noted(int given) : number(given) {}
    ~Noted() { order[count++] = number; }
};

static void clean(void *number) {
    order[count++] = *static_cast<int *>(number);
}

static void leave() {
    Noted first(1);
    pthread_exit(&count);
}

static void *run(void *unused) {
    static int third = 3;
    Noted last(4);
    pthread_cleanup_push(clean, &third);
    Noted second(2);
    leave();
    pthread_cleanup_pop(0);
    return unused;
}

int main() {
    pthread_t thread;
    void *result;
    pthread_create(&thread, nullptr, run, nullptr);
    pthread_join(thread, &result);
    ep_assert(result == &count && count == 4);
    for (int i = 0; i < count; i++)
        ep_assert(order[i] == i + 1);
    return 0;
}
