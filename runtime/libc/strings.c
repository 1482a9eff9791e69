/* strings.h: the functions of BSD, and comparing without case. */
#include "internal.h"

int memcmp(const void *left, const void *right, size_t count);
char *strchr(const char *s, int c);
char *strrchr(const char *s, int c);

/* Without a branch, so that comparing forks on equality alone. */
static int lower(unsigned char c) {
    return c + (((unsigned)c - 'A' < 26) << 5);
}

int strncasecmp(const char *left, const char *right, size_t count) {
    for (size_t i = 0; i < count; i++) {
        int a = lower((unsigned char)left[i]), b = lower((unsigned char)right[i]);
        if (a != b || !a)
            return a - b;
    }
    return 0;
}

int strcasecmp(const char *left, const char *right) {
    return strncasecmp(left, right, SIZE_MAX);
}

char *strcasestr(const char *s, const char *part) {
    size_t length = strlen(part);
    for (;; s++) {
        if (strncasecmp(s, part, length) == 0)
            return (char *)s;
        if (!*s)
            return NULL;
    }
}

int bcmp(const void *left, const void *right, size_t count) {
    return memcmp(left, right, count);
}

void bcopy(const void *from, void *to, size_t count) {
    memmove(to, from, count);
}

void bzero(void *to, size_t count) {
    memset(to, 0, count);
}

char *index(const char *s, int c) {
    return strchr(s, c);
}

char *rindex(const char *s, int c) {
    return strrchr(s, c);
}

int ffsll(long long value) {
    return value ? __builtin_ctzll((unsigned long long)value) + 1 : 0;
}

int ffsl(long value) {
    return ffsll(value);
}

int ffs(int value) {
    return ffsll(value);
}
