/* stdlib.h: random numbers, the same ones glibc gives for the same seed, so that
 * a program that draws some takes the same path when a test is replayed. */
#include "internal.h"

/* An additive feedback generator: each number is the sum of those 31 and 3
 * places before it. */
enum { LENGTH = 31, DISTANCE = 3, DISCARDED = 10 * LENGTH };

static uint32_t numbers[LENGTH];
static int next_place;
static int seeded;

static uint32_t draw(void) {
    int earlier = (next_place + LENGTH - DISTANCE) % LENGTH;
    uint32_t number = numbers[next_place] += numbers[earlier];
    next_place = (next_place + 1) % LENGTH;
    return number >> 1;
}

void srandom(unsigned seed) {
    int32_t word = seed ? (int32_t)seed : 1;
    numbers[0] = (uint32_t)word;
    for (int i = 1; i < LENGTH; i++) {
        /* 16807 * word modulo 2^31 - 1, in 32 bits. */
        word = (int32_t)(16807 * (int64_t)(word % 127773) - 2836 * (int64_t)(word / 127773));
        if (word < 0)
            word += INT32_MAX;
        numbers[i] = (uint32_t)word;
    }
    next_place = DISTANCE;
    seeded = 1;
    for (int i = 0; i < DISCARDED; i++)
        draw();
}

long random(void) {
    if (!seeded)
        srandom(1);
    return (long)draw();
}

void srand(unsigned seed) {
    srandom(seed);
}

int rand(void) {
    return (int)random();
}

int rand_r(unsigned *seed) {
    unsigned state = *seed, result = 0;
    for (int part = 0; part < 3; part++) {
        state = state * 1103515245 + 12345;
        unsigned bits = part == 0 ? 11 : 10;
        result = (result << bits) ^ ((state >> 16) & ((1u << bits) - 1));
    }
    *seed = state;
    return (int)result;
}
