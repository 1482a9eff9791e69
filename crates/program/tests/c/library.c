// Ordinary code that leans on the library; it is loaded, not run.
#include <complex.h>
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static jmp_buf where;
static volatile sig_atomic_t signalled;
static void on_signal(int number) { signalled = number; longjmp(where, number); }

static long double average(const long double *values, size_t n) {
    long double sum = 0;
    for (size_t i = 0; i < n; i++) sum += values[i];
    return n ? sum / n : 0.0L;
}
static int by_value(const void *a, const void *b) {
    return (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b);
}
static unsigned _BitInt(300) enormous(unsigned _BitInt(300) x) { return x * x + 1; }
static double _Complex turned(double _Complex z) { return z * I + conj(z); }
static __float128 quad(__float128 x) { return x * 2 + 1; }
static _Float16 half(_Float16 x) { return x + (_Float16)1.5; }

int main(int argc, char **argv) {
    signal(SIGINT, on_signal);
    if (setjmp(where) == 0) raise(SIGINT);
    int *values = calloc((size_t)argc, sizeof *values);
    if (!values) { perror(argv[0]); return errno; }
    for (int i = 0; i < argc; i++) values[i] = (int)strtol(argv[i], NULL, 0);
    qsort(values, (size_t)argc, sizeof *values, by_value);
    printf("%d %Lf %g %s\n", values[0], average((long double[]){ 1, 2.5L }, 2), sin(argc) + pow(2, argc),
           strerror(errno));
    double _Complex z = turned(argc + 2.0 * I);
    printf("%f %d %d\n", creal(z), (int)quad(argc), (int)half((_Float16)argc));
    printf("%d\n", (int)(enormous((unsigned _BitInt(300))argc) >> 200));
    char line[80];
    while (fgets(line, sizeof line, stdin)) fputs(strchr(line, 'x') ? line : "-", stderr);
    struct tm *now = localtime(&(time_t){ time(NULL) });
    int swapped = argc;
    __asm__ volatile("bswap %0" : "+r"(swapped));
    __asm__ volatile("" : : : "memory");
    free(values);
    return now->tm_year + swapped + isnan(average(NULL, 0)) + (int)signalled + __builtin_constant_p(argc);
}
