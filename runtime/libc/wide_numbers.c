/* wchar.h: numbers as wide text, read as the same text of plain characters. */
#include "internal.h"

double strtod(const char *restrict s, char **restrict end);
float strtof(const char *restrict s, char **restrict end);
long strtol(const char *restrict s, char **restrict end, int base);
long long strtoll(const char *restrict s, char **restrict end, int base);
unsigned long strtoul(const char *restrict s, char **restrict end, int base);
unsigned long long strtoull(const char *restrict s, char **restrict end, int base);

/* The longest beginning that could be part of a number: what is not ASCII never is. */
static char *narrow(const wchar_t *s) {
    size_t length = 0;
    while (s[length] > 0 && s[length] < 128)
        length++;
    char *text = malloc(length + 1);
    if (!text) {
        errno = ENOMEM;
        return NULL;
    }
    for (size_t i = 0; i < length; i++)
        text[i] = (char)s[i];
    text[length] = 0;
    return text;
}

#define WIDE(type, name, parameters, call)                                                         \
    type name parameters {                                                                         \
        char *text = narrow(s), *stop = text;                                                      \
        type value = text ? call : 0;                                                              \
        if (end)                                                                                   \
            *end = (wchar_t *)s + (stop - text);                                                   \
        free(text);                                                                                \
        return value;                                                                              \
    }

#define REAL const wchar_t *restrict s, wchar_t **restrict end
#define INTEGER REAL, int base

WIDE(double, wcstod, (REAL), strtod(text, &stop))
WIDE(float, wcstof, (REAL), strtof(text, &stop))
WIDE(long, wcstol, (INTEGER), strtol(text, &stop, base))
WIDE(long long, wcstoll, (INTEGER), strtoll(text, &stop, base))
WIDE(unsigned long, wcstoul, (INTEGER), strtoul(text, &stop, base))
WIDE(unsigned long long, wcstoull, (INTEGER), strtoull(text, &stop, base))
WIDE(intmax_t, wcstoimax, (INTEGER), strtoll(text, &stop, base))
WIDE(uintmax_t, wcstoumax, (INTEGER), strtoull(text, &stop, base))
WIDE(long, __isoc23_wcstol, (INTEGER), strtol(text, &stop, base))
WIDE(unsigned long, __isoc23_wcstoul, (INTEGER), strtoul(text, &stop, base))
