/* stdlib.h: numbers out of text, arithmetic, searching, the environment.
 * Sorting, exit(), rand() and strtod() have files of their own. */
#include "internal.h"

int strncmp(const char *left, const char *right, size_t count);

/* Integers out of text. */

struct integer {
    uint64_t magnitude;
    int negative;
    int too_large; /* for 64 bits */
};

/* Reads what strtol() reads. Each digit costs one decision, whatever the base;
 * `binary` is for C23's functions, which know 0b. */
static struct integer parse(const char *s, char **end, int base, int binary) {
    struct integer result = {0, 0, 0};
    const char *at = s;
    if (base < 0 || base == 1 || base > 36) {
        errno = EINVAL;
        return result;
    }
    while (ep_is_space((unsigned char)*at))
        at++;
    if ((*at == '-') | (*at == '+'))
        result.negative = *at++ == '-';
    if ((base == 0 || base == 16) && at[0] == '0' && (at[1] | 32) == 'x' &&
        ep_digit_value((unsigned char)at[2]) < 16) {
        at += 2;
        base = 16;
    } else if (binary && (base == 0 || base == 2) && at[0] == '0' && (at[1] | 32) == 'b' &&
               ep_digit_value((unsigned char)at[2]) < 2) {
        at += 2;
        base = 2;
    } else if (base == 0) {
        base = *at == '0' ? 8 : 10;
    }
    const uint64_t limit = UINT64_MAX / (unsigned)base;
    const unsigned last = (unsigned)(UINT64_MAX % (unsigned)base);
    const char *first = at;
    for (;; at++) {
        unsigned digit = ep_digit_value((unsigned char)*at);
        if (digit >= (unsigned)base)
            break;
        if (result.magnitude > limit || (result.magnitude == limit && digit > last))
            result.too_large = 1;
        else
            result.magnitude = result.magnitude * (unsigned)base + digit;
    }
    if (end)
        *end = (char *)(at == first ? s : at);
    return result;
}

static long long to_signed(struct integer number) {
    uint64_t limit = (uint64_t)LLONG_MAX + (unsigned)number.negative;
    if (number.too_large || number.magnitude > limit) {
        errno = ERANGE;
        return number.negative ? LLONG_MIN : LLONG_MAX;
    }
    return (long long)(number.negative ? -number.magnitude : number.magnitude);
}

static unsigned long long to_unsigned(struct integer number) {
    if (number.too_large) {
        errno = ERANGE;
        return ULLONG_MAX;
    }
    return number.negative ? -number.magnitude : number.magnitude;
}

_Static_assert(sizeof(long) == sizeof(long long), "long has 64 bits on the machines we know");

long strtol(const char *restrict s, char **restrict end, int base) {
    return (long)to_signed(parse(s, end, base, 0));
}

long long strtoll(const char *restrict s, char **restrict end, int base) {
    return to_signed(parse(s, end, base, 0));
}

unsigned long strtoul(const char *restrict s, char **restrict end, int base) {
    return (unsigned long)to_unsigned(parse(s, end, base, 0));
}

unsigned long long strtoull(const char *restrict s, char **restrict end, int base) {
    return to_unsigned(parse(s, end, base, 0));
}

intmax_t strtoimax(const char *restrict s, char **restrict end, int base) {
    return to_signed(parse(s, end, base, 0));
}

uintmax_t strtoumax(const char *restrict s, char **restrict end, int base) {
    return to_unsigned(parse(s, end, base, 0));
}

/* What newer headers of glibc call when the program is C23. */
long __isoc23_strtol(const char *restrict s, char **restrict end, int base) {
    return (long)to_signed(parse(s, end, base, 1));
}

long long __isoc23_strtoll(const char *restrict s, char **restrict end, int base) {
    return to_signed(parse(s, end, base, 1));
}

unsigned long __isoc23_strtoul(const char *restrict s, char **restrict end, int base) {
    return (unsigned long)to_unsigned(parse(s, end, base, 1));
}

unsigned long long __isoc23_strtoull(const char *restrict s, char **restrict end, int base) {
    return to_unsigned(parse(s, end, base, 1));
}

int atoi(const char *s) {
    return (int)strtol(s, NULL, 10);
}

long atol(const char *s) {
    return strtol(s, NULL, 10);
}

long long atoll(const char *s) {
    return strtoll(s, NULL, 10);
}

/* Arithmetic. */

typedef struct {
    int quot, rem;
} div_t;

typedef struct {
    long quot, rem;
} ldiv_t;

typedef struct {
    long long quot, rem;
} lldiv_t;

/* The smallest integer has no opposite; like glibc's, these return it. */

int abs(int value) {
    return (int)(value < 0 ? -(unsigned)value : (unsigned)value);
}

long long llabs(long long value) {
    return (long long)(value < 0 ? -(unsigned long long)value : (unsigned long long)value);
}

long labs(long value) {
    return (long)llabs(value);
}

intmax_t imaxabs(intmax_t value) {
    return llabs(value);
}

div_t div(int dividend, int divisor) {
    return (div_t){dividend / divisor, dividend % divisor};
}

ldiv_t ldiv(long dividend, long divisor) {
    return (ldiv_t){dividend / divisor, dividend % divisor};
}

lldiv_t lldiv(long long dividend, long long divisor) {
    return (lldiv_t){dividend / divisor, dividend % divisor};
}

ldiv_t imaxdiv(intmax_t dividend, intmax_t divisor) {
    return (ldiv_t){dividend / divisor, dividend % divisor};
}

/* Searching. */

void *bsearch(const void *key, const void *base, size_t count, size_t size,
              int (*compare)(const void *, const void *)) {
    size_t first = 0, last = count;
    while (first < last) {
        size_t middle = first + (last - first) / 2;
        const void *element = (const char *)base + middle * size;
        int order = compare(key, element);
        if (order == 0)
            return (void *)element;
        if (order < 0)
            last = middle;
        else
            first = middle + 1;
    }
    return NULL;
}

/* The environment: none, unless whoever starts the program sets `environ`. */

static char *empty_environment[] = {NULL};
char **environ = empty_environment;
/* The names that glibc and musl have for it. */
extern char **__environ __attribute__((alias("environ")));
extern char **_environ __attribute__((alias("environ")));
extern char **___environ __attribute__((alias("environ")));

char *getenv(const char *name) {
    size_t length = strlen(name);
    for (char **entry = environ; entry && *entry; entry++)
        if (strncmp(*entry, name, length) == 0 && (*entry)[length] == '=')
            return *entry + length + 1;
    return NULL;
}

char *secure_getenv(const char *name) {
    return getenv(name);
}

/* malloc.h */

void *reallocarray(void *block, size_t count, size_t size) {
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) {
        errno = ENOMEM;
        return NULL;
    }
    return realloc(block, bytes);
}
