/* What musl expects of parts of it that are not taken: its allocator, its streams, its
 * start-up code and its threads. The machine and our own library stand in for them. */
#include <complex.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "libc.h"
#include "pthread_impl.h"

/* The one thread there is when a program starts. */
static struct pthread self = {
    .self = &self,
    .next = &self,
    .prev = &self,
    .tid = 1000,
    .detach_state = DT_JOINABLE,
    .locale = &libc.global_locale,
    .tsd = __pthread_tsd_main,
};

uintptr_t __ep_thread_pointer(void) {
    return (uintptr_t)&self;
}

volatile int __abort_lock[1];

/* musl reads errno through a name of its own. */
#undef errno
int *__errno_location(void);
int *___errno_location(void) {
    return __errno_location();
}

void *__libc_malloc(size_t size) {
    return malloc(size);
}
void *__libc_calloc(size_t count, size_t size) {
    return calloc(count, size);
}
void *__libc_realloc(void *block, size_t size) {
    return realloc(block, size);
}
void __libc_free(void *block) {
    free(block);
}

/* Streams that musl reads its configuration files with. */
FILE *__fopen_rb_ca(const char *name, FILE *room, unsigned char *buffer, size_t size) {
    return fopen(name, "rb");
}
int __fclose_ca(FILE *stream) {
    return fclose(stream);
}

/* GNU's functions that musl has none of. */
char *canonicalize_file_name(const char *name) {
    return realpath(name, NULL);
}

void psignal(int signal, const char *message) {
    int is_named = message && *message;
    fprintf(stderr, "%s%s%s\n", is_named ? message : "", is_named ? ": " : "", strsignal(signal));
}

/* Multiplication and division of complex numbers as annex G of the C standard wants
 * them: infinities survive where plain formulas give NaN. */
#define COMPLEX(T, suffix, mulname, divname)                                                       \
    T _Complex mulname(T a, T b, T c, T d) {                                                       \
        T ac = a * c, bd = b * d, ad = a * d, bc = b * c, x = ac - bd, y = ad + bc;                \
        if (isnan(x) && isnan(y)) {                                                                \
            int again = 0;                                                                         \
            if (isinf(a) || isinf(b)) {                                                            \
                a = copysign##suffix(isinf(a) ? 1 : 0, a);                                         \
                b = copysign##suffix(isinf(b) ? 1 : 0, b);                                         \
                c = isnan(c) ? copysign##suffix(0, c) : c;                                         \
                d = isnan(d) ? copysign##suffix(0, d) : d;                                         \
                again = 1;                                                                         \
            }                                                                                      \
            if (isinf(c) || isinf(d)) {                                                            \
                c = copysign##suffix(isinf(c) ? 1 : 0, c);                                         \
                d = copysign##suffix(isinf(d) ? 1 : 0, d);                                         \
                a = isnan(a) ? copysign##suffix(0, a) : a;                                         \
                b = isnan(b) ? copysign##suffix(0, b) : b;                                         \
                again = 1;                                                                         \
            }                                                                                      \
            if (!again && (isinf(ac) || isinf(bd) || isinf(ad) || isinf(bc))) {                    \
                a = isnan(a) ? copysign##suffix(0, a) : a;                                         \
                b = isnan(b) ? copysign##suffix(0, b) : b;                                         \
                c = isnan(c) ? copysign##suffix(0, c) : c;                                         \
                d = isnan(d) ? copysign##suffix(0, d) : d;                                         \
                again = 1;                                                                         \
            }                                                                                      \
            if (again) {                                                                           \
                x = INFINITY * (a * c - b * d);                                                    \
                y = INFINITY * (a * d + b * c);                                                    \
            }                                                                                      \
        }                                                                                          \
        return __builtin_complex(x, y);                                                            \
    }                                                                                              \
    T _Complex divname(T a, T b, T c, T d) {                                                       \
        int scale = 0;                                                                             \
        T larger = logb##suffix(fmax##suffix(fabs##suffix(c), fabs##suffix(d)));                   \
        if (isfinite(larger)) {                                                                    \
            scale = (int)larger;                                                                   \
            c = scalbn##suffix(c, -scale);                                                         \
            d = scalbn##suffix(d, -scale);                                                         \
        }                                                                                          \
        T size = c * c + d * d;                                                                    \
        T x = scalbn##suffix((a * c + b * d) / size, -scale);                                      \
        T y = scalbn##suffix((b * c - a * d) / size, -scale);                                      \
        if (isnan(x) && isnan(y)) {                                                                \
            if (size == 0 && (!isnan(a) || !isnan(b))) {                                           \
                x = copysign##suffix(INFINITY, c) * a;                                             \
                y = copysign##suffix(INFINITY, c) * b;                                             \
            } else if ((isinf(a) || isinf(b)) && isfinite(c) && isfinite(d)) {                     \
                a = copysign##suffix(isinf(a) ? 1 : 0, a);                                         \
                b = copysign##suffix(isinf(b) ? 1 : 0, b);                                         \
                x = INFINITY * (a * c + b * d);                                                    \
                y = INFINITY * (b * c - a * d);                                                    \
            } else if (isinf(larger) && larger > 0 && isfinite(a) && isfinite(b)) {                \
                c = copysign##suffix(isinf(c) ? 1 : 0, c);                                         \
                d = copysign##suffix(isinf(d) ? 1 : 0, d);                                         \
                x = 0 * (a * c + b * d);                                                           \
                y = 0 * (b * c - a * d);                                                           \
            }                                                                                      \
        }                                                                                          \
        return __builtin_complex(x, y);                                                            \
    }

COMPLEX(float, f, __mulsc3, __divsc3)
COMPLEX(double, , __muldc3, __divdc3)
