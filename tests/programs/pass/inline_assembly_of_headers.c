// What headers write in assembly: barriers, a clock, a search for a bit, a counter of threads.
#include "everypath.h"
#include <pthread.h>

static int sum;

static void *add(void *unused) {
    __asm__ volatile("lock; incl %0" : "+m"(sum) : : "memory");
    return unused;
}
static unsigned long long clock_of_processor(void) {
    unsigned low, high;
    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
    return (unsigned long long)high << 32 | low;
}

int main(void) {
    unsigned x, place, registers[4];
    ep_symbolic(&x, sizeof x, "x");
    __asm__("bsrl %1, %0" : "=r"(place) : "rm"(x | 1));
    ep_assert((x | 1) >> place == 1);
    __asm__ volatile("cpuid"
                     : "=a"(registers[0]), "=b"(registers[1]), "=c"(registers[2]), "=d"(registers[3])
                     : "0"(1), "2"(0));
    unsigned long long start = clock_of_processor();
    ep_assert(clock_of_processor() >= start);
    pthread_t other;
    pthread_create(&other, 0, add, 0);
    add(0);
    pthread_join(other, 0);
    ep_assert(sum == 2);
    return 0;
}
