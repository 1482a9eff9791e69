/* unistd.h: what the system says of itself, as glibc has it on Linux: ranges of names that have
 * one value. What differs from machine to machine is that of a small one with one processor. */
#include "internal.h"

#define EINVAL 22
#define OPEN_FILES 4
#define RLIMIT_OPEN_FILES 7

static const struct {
    short first, last;
    long value;
} values[] = {
    {0, 0, 2097152}, {1, 1, 96365}, {2, 2, 100}, {3, 3, 65536}, {5, 5, 16}, {7, 8, 1},
    {9, 22, 200809}, {25, 25, 20}, {26, 26, 2147483647}, {28, 28, 32768}, {29, 29, 200809},
    {30, 30, 4096}, {31, 31, 32}, {33, 33, 2147483647}, {34, 34, 96365}, {36, 36, 99},
    {37, 37, 2048}, {38, 38, 99}, {39, 39, 1000}, {40, 40, 255}, {42, 42, 32}, {43, 43, 2048},
    {44, 44, 32767}, {45, 45, 2048}, {46, 48, 200809}, {51, 52, 200809}, {60, 60, 1024},
    {67, 68, 200809}, {69, 70, 1024}, {71, 71, 256}, {72, 72, 32}, {73, 73, 4}, {74, 74, 1024},
    {75, 75, 16384}, {77, 82, 200809}, {83, 84, 1}, {85, 85, 1048576}, {86, 86, 524288},
    {87, 87, 2147483647}, {88, 88, 8192}, {89, 89, 700}, {90, 90, 4}, {91, 91, 1}, {93, 94, 1},
    {95, 96, 200809}, {98, 100, 1}, {101, 101, 8}, {102, 102, 127}, {103, 103, -128},
    {104, 104, 2147483647}, {105, 105, -2147483647 - 1}, {106, 106, 64}, {107, 107, 32},
    {108, 108, 16}, {109, 109, 20}, {110, 110, 32767}, {111, 111, 127}, {112, 112, -128},
    {113, 113, 32767}, {114, 114, -32768}, {115, 115, 255}, {116, 116, 4294967295},
    {118, 118, 65535}, {119, 119, 4096}, {120, 120, 2048}, {121, 124, 2147483647}, {127, 127, 1},
    {129, 131, 1}, {132, 133, 200809}, {137, 139, 200809}, {149, 149, 200809}, {153, 154, 200809},
    {155, 155, 1}, {157, 157, 1}, {159, 159, 200809}, {164, 164, 200809}, {178, 178, 1},
    {180, 180, 64}, {185, 185, 32768}, {187, 187, 64}, {188, 188, 32768}, {189, 189, 8},
    {190, 190, 64}, {191, 191, 1048576}, {192, 192, 16}, {193, 193, 64}, {195, 195, 0},
    {235, 236, 200809}, {239, 239, 1}, {249, 249, 3376}, {250, 250, 13504},
};
enum { LAST = 250 };

int getrlimit(int resource, unsigned long limits[2]);

long sysconf(int name) {
    unsigned long limits[2];
    if (name == OPEN_FILES && getrlimit(RLIMIT_OPEN_FILES, limits) == 0)
        return (long)limits[0];
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        if (values[i].first <= name && name <= values[i].last)
            return values[i].value;
    /* No limit, or not there; a name that is none is an error. */
    if (name < 0 || name > LAST)
        errno = EINVAL;
    return -1;
}

/* What PTHREAD_STACK_MIN is. */
long __sysconf(int name) {
    return sysconf(name);
}
