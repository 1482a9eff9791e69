#include <pthread.h>

static int sum;

static void *add(void *unused) {
    sum++; // error: data-race
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, add, NULL);
    pthread_create(&b, NULL, add, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
