/* string.h, byte by byte: a loop over symbolic bytes forks once a byte, on the
 * question the function asks of it. What POSIX calls strings.h is in strings.c,
 * the messages of strerror() are in strerror.c. */
#include "internal.h"

typedef unsigned char byte;

/* Copying and filling. */

void *memcpy(void *restrict to, const void *restrict from, size_t count) {
    byte *target = to;
    const byte *source = from;
    __ep_apart(to, from, count);
    for (size_t i = 0; i < count; i++)
        target[i] = source[i];
    return to;
}

void *mempcpy(void *restrict to, const void *restrict from, size_t count) {
    return (byte *)memcpy(to, from, count) + count;
}

void *__mempcpy(void *restrict to, const void *restrict from, size_t count) {
    return mempcpy(to, from, count);
}

void *memmove(void *to, const void *from, size_t count) {
    byte *target = to;
    const byte *source = from;
    /* Objects in different places do not overlap, whichever way they are
     * compared; the integers make the comparison one the machine can do. */
    if ((uintptr_t)target < (uintptr_t)source) {
        for (size_t i = 0; i < count; i++)
            target[i] = source[i];
    } else {
        for (size_t i = count; i > 0; i--)
            target[i - 1] = source[i - 1];
    }
    return to;
}

void *memccpy(void *restrict to, const void *restrict from, int last, size_t count) {
    byte *target = to;
    const byte *source = from;
    for (size_t i = 0; i < count; i++) {
        target[i] = source[i];
        if (source[i] == (byte)last)
            return target + i + 1;
    }
    return NULL;
}

void *memset(void *to, int value, size_t count) {
    byte *target = to;
    for (size_t i = 0; i < count; i++)
        target[i] = (byte)value;
    return to;
}

void explicit_bzero(void *to, size_t count) {
    memset(to, 0, count);
}

char *stpcpy(char *restrict to, const char *restrict from) {
    size_t length = strlen(from);
    __ep_apart(to, from, length + 1);
    for (size_t i = 0; i <= length; i++)
        to[i] = from[i];
    return to + length;
}

char *__stpcpy(char *restrict to, const char *restrict from) {
    return stpcpy(to, from);
}

char *strcpy(char *restrict to, const char *restrict from) {
    stpcpy(to, from);
    return to;
}

char *stpncpy(char *restrict to, const char *restrict from, size_t count) {
    size_t length = strnlen(from, count);
    __ep_apart(to, from, length);
    for (size_t i = 0; i < length; i++)
        to[i] = from[i];
    for (size_t i = length; i < count; i++)
        to[i] = 0;
    return to + length;
}

char *strncpy(char *restrict to, const char *restrict from, size_t count) {
    stpncpy(to, from, count);
    return to;
}

char *strcat(char *restrict to, const char *restrict from) {
    stpcpy(to + strlen(to), from);
    return to;
}

char *strncat(char *restrict to, const char *restrict from, size_t count) {
    char *end = to + strlen(to);
    size_t length = strnlen(from, count);
    __ep_apart(end, from, length + 1);
    for (size_t i = 0; i < length; i++)
        end[i] = from[i];
    end[length] = 0;
    return to;
}

size_t strlcpy(char *restrict to, const char *restrict from, size_t size) {
    size_t length = 0;
    for (; from[length]; length++)
        if (length + 1 < size)
            to[length] = from[length];
    if (size > 0)
        to[length < size ? length : size - 1] = 0;
    return length;
}

size_t strlcat(char *restrict to, const char *restrict from, size_t size) {
    size_t length = strnlen(to, size);
    if (length == size)
        return size + strlen(from);
    return length + strlcpy(to + length, from, size - length);
}

char *strdup(const char *s) {
    size_t size = strlen(s) + 1;
    char *copy = malloc(size);
    return copy ? memcpy(copy, s, size) : NULL;
}

char *__strdup(const char *s) {
    return strdup(s);
}

char *strndup(const char *s, size_t limit) {
    size_t length = strnlen(s, limit);
    char *copy = malloc(length + 1);
    if (copy) {
        memcpy(copy, s, length);
        copy[length] = 0;
    }
    return copy;
}

char *__strndup(const char *s, size_t limit) {
    return strndup(s, limit);
}

size_t strxfrm(char *restrict to, const char *restrict from, size_t size) {
    size_t length = strlen(from);
    if (length < size)
        memcpy(to, from, length + 1);
    return length;
}

/* Comparing. */

/* For callers that have as many bytes as they say: whether all of them are the same is one
 * condition, and how the first ones that are not differ is one value. */
static int difference_of_all(const byte *a, const byte *b, size_t count) {
    bool same = true;
    for (size_t i = 0; i < count; i++)
        same &= a[i] == b[i];
    if (same)
        return 0;
    int difference = 0;
    while (count-- > 0)
        difference = a[count] != b[count] ? a[count] - b[count] : difference;
    return difference;
}

/* A program may compare with less than it says, if a difference comes before that; the standard
 * libraries of C++ and Rust do not. */
int memcmp(const void *left, const void *right, size_t count) {
    enum { MOST = 64 };
    const byte *a = left, *b = right;
    if (count <= MOST && __ep_is_for_standard_library())
        return difference_of_all(a, b, count);
    for (size_t i = 0; i < count; i++)
        if (a[i] != b[i])
            return a[i] - b[i];
    return 0;
}

int strcmp(const char *left, const char *right) {
    const byte *a = (const byte *)left, *b = (const byte *)right;
    while (*a == *b && *a) {
        a++;
        b++;
    }
    return *a - *b;
}

int strncmp(const char *left, const char *right, size_t count) {
    const byte *a = (const byte *)left, *b = (const byte *)right;
    for (size_t i = 0; i < count; i++)
        if (a[i] != b[i] || !a[i])
            return a[i] - b[i];
    return 0;
}

int strcoll(const char *left, const char *right) {
    return strcmp(left, right);
}

/* Where two names differ inside a number, the number decides: a fraction
 * (leading zeros) as digits, an integer by its length first. */
int strverscmp(const char *left, const char *right) {
    const char *a = left, *b = right;
    size_t at = 0, run = 0;
    int leading_zeros = 1;
    for (; a[at] == b[at]; at++) {
        if (!a[at])
            return 0;
        if (!ep_is_digit(a[at])) {
            run = at + 1;
            leading_zeros = 1;
        } else if (a[at] != '0') {
            leading_zeros = 0;
        }
    }
    if (a[run] != '0' && b[run] != '0') {
        /* Two integers, or the beginning of a number against something else. */
        size_t longer = at;
        while (ep_is_digit(a[longer]) && ep_is_digit(b[longer]))
            longer++;
        if (longer > run && ep_is_digit(a[longer]))
            return 1;
        if (longer > run && ep_is_digit(b[longer]))
            return -1;
    } else if (leading_zeros && run < at && (ep_is_digit(a[at]) || ep_is_digit(b[at]))) {
        return (byte)(a[at] - '0') - (byte)(b[at] - '0');
    }
    return (byte)a[at] - (byte)b[at];
}

/* Searching. */

size_t strlen(const char *s) {
    size_t length = 0;
    while (s[length])
        length++;
    return length;
}

size_t strnlen(const char *s, size_t limit) {
    size_t length = 0;
    while (length < limit && s[length])
        length++;
    return length;
}

void *memchr(const void *memory, int value, size_t count) {
    const byte *bytes = memory;
    for (size_t i = 0; i < count; i++)
        if (bytes[i] == (byte)value)
            return (void *)(bytes + i);
    return NULL;
}

void *memrchr(const void *memory, int value, size_t count) {
    const byte *bytes = memory;
    for (size_t i = count; i > 0; i--)
        if (bytes[i - 1] == (byte)value)
            return (void *)(bytes + i - 1);
    return NULL;
}

void *rawmemchr(const void *memory, int value) {
    const byte *bytes = memory;
    while (*bytes != (byte)value)
        bytes++;
    return (void *)bytes;
}

void *__rawmemchr(const void *memory, int value) {
    return rawmemchr(memory, value);
}

char *strchrnul(const char *s, int c) {
    while (*s && *s != (char)c)
        s++;
    return (char *)s;
}

char *strchr(const char *s, int c) {
    for (; *s != (char)c; s++)
        if (!*s)
            return NULL;
    return (char *)s;
}

char *strrchr(const char *s, int c) {
    const char *last = NULL;
    for (;; s++) {
        if (*s == (char)c)
            last = s;
        if (!*s)
            return (char *)last;
    }
}

/* Whether the set holds the character: one question, however large the set. */
static int among(const char *set, char c) {
    int found = 0;
    for (; *set; set++)
        found |= *set == c;
    return found;
}

size_t strspn(const char *s, const char *accepted) {
    size_t length = 0;
    while (among(accepted, s[length]))
        length++;
    return length;
}

size_t strcspn(const char *s, const char *rejected) {
    size_t length = 0;
    while (!((s[length] == 0) | among(rejected, s[length])))
        length++;
    return length;
}

char *strpbrk(const char *s, const char *accepted) {
    s += strcspn(s, accepted);
    return *s ? (char *)s : NULL;
}

void *memmem(const void *memory, size_t count, const void *part, size_t length) {
    const byte *bytes = memory;
    for (size_t i = 0; length <= count && i <= count - length; i++)
        if (memcmp(bytes + i, part, length) == 0)
            return (void *)(bytes + i);
    return NULL;
}

/* Whether the string begins with the part; stops at the first difference. */
static int begins_with(const char *s, const char *part) {
    while (*part && *s == *part) {
        s++;
        part++;
    }
    return !*part;
}

char *strstr(const char *s, const char *part) {
    for (;; s++) {
        if (begins_with(s, part))
            return (char *)s;
        if (!*s)
            return NULL;
    }
}

/* Splitting. */

char *strtok_r(char *restrict s, const char *restrict delimiters, char **restrict rest) {
    if (!s)
        s = *rest;
    s += strspn(s, delimiters);
    if (!*s) {
        *rest = s;
        return NULL;
    }
    char *end = s + strcspn(s, delimiters);
    *rest = *end ? end + 1 : end;
    *end = 0;
    return s;
}

char *__strtok_r(char *restrict s, const char *restrict delimiters, char **restrict rest) {
    return strtok_r(s, delimiters, rest);
}

char *strtok(char *restrict s, const char *restrict delimiters) {
    static char *rest;
    return strtok_r(s, delimiters, &rest);
}

char *strsep(char **restrict rest, const char *restrict delimiters) {
    char *s = *rest;
    if (!s)
        return NULL;
    char *end = s + strcspn(s, delimiters);
    *rest = *end ? end + 1 : NULL;
    *end = 0;
    return s;
}

char *basename(const char *path) {
    char *last = strrchr(path, '/');
    return last ? last + 1 : (char *)path;
}
