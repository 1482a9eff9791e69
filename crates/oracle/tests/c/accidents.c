// Functions that do harm.

#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int crash(int x) { return x == 13 ? *(volatile int *)8 : x + 1; }
int aborts(int x) {
    if (x == 13)
        abort();
    return x + 1;
}
int leaves(int x) {
    if (x == 13)
        exit(3);
    return x + 1;
}
int divides(int x) { return 100 / (volatile int){x}; }
int hangs(int x) {
    while (*(volatile int *)&x == 13)
        ;
    return x + 1;
}
int recurses(int x) {
    volatile char room[4096];
    room[0] = (char)x;
    return x == 0 ? 0 : recurses(x + 1) + room[0];
}

// Fails until the file exists, and makes it.
int fails_once(const char *file) {
    if (access(file, F_OK) == 0)
        return 1;
    fclose(fopen(file, "w"));
    abort();
}

static volatile unsigned char *shared_memory(size_t *size) {
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[512];
    unsigned long start, end;
    while (fgets(line, sizeof line, maps))
        if (strstr(line, "everypath-oracle") && sscanf(line, "%lx-%lx", &start, &end) == 2) {
            fclose(maps);
            *size = end - start;
            return (volatile unsigned char *)start;
        }
    fclose(maps);
    abort();
}

static uint32_t random_state = 12345;
static unsigned char random_byte(void) {
    random_state = random_state * 1664525 + 1013904223;
    return (unsigned char)(random_state >> 24);
}

int overwrites_all(int byte) {
    size_t size;
    volatile unsigned char *memory = shared_memory(&size);
    for (size_t i = 0; i < size; i++)
        memory[i] = byte < 0 ? random_byte() : (unsigned char)byte;
    return byte + 1;
}

static void *scribble(void *unused) {
    size_t size;
    volatile unsigned char *memory = shared_memory(&size);
    for (;;)
        for (size_t i = 0; i < 8192 && i < size; i++)
            memory[i] = random_byte();
    return unused;
}
int leaves_a_scribbler(int x) {
    pthread_t thread;
    pthread_create(&thread, NULL, scribble, NULL);
    return x + 1;
}
int harmless(int x) { return 3 * x; }

int shouts(int x) {
    printf("%d\n", x);
    fflush(stdout);
    fprintf(stderr, "%d\n", x);
    return getchar();
}

// Which of the first three descriptors are not /dev/null, as bits.
int descriptors(void) {
    struct stat null, here;
    stat("/dev/null", &null);
    int others = 0;
    for (int i = 0; i < 3; i++)
        if (fstat(i, &here) != 0 || here.st_rdev != null.st_rdev)
            others |= 1 << i;
    return others;
}
int leads_its_session(void) { return getsid(0) == getpid(); }
