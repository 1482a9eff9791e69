/* What string.h and stdio.h turn into under _FORTIFY_SOURCE: the same functions
 * with the room there is. What does not fit ends the program as glibc ends it;
 * the machine would notice only what leaves the object. */
#include "internal.h"

char *stpcpy(char *restrict to, const char *restrict from);
char *stpncpy(char *restrict to, const char *restrict from, size_t count);
char *strcat(char *restrict to, const char *restrict from);
char *strncat(char *restrict to, const char *restrict from, size_t count);
char *fgets(char *restrict s, int size, FILE *restrict stream);
size_t fread(void *restrict bytes, size_t size, size_t count, FILE *restrict stream);

_Noreturn void __chk_fail(void) {
    static const char message[] = "*** buffer overflow detected ***: terminated\n";
    __ep_write(2, message, sizeof message - 1);
    __ep_abort();
}

static void check(size_t needed, size_t room) {
    if (needed > room)
        __chk_fail();
}

void *__memcpy_chk(void *restrict to, const void *restrict from, size_t count, size_t room) {
    check(count, room);
    return memcpy(to, from, count);
}

void *__mempcpy_chk(void *restrict to, const void *restrict from, size_t count, size_t room) {
    check(count, room);
    return (char *)memcpy(to, from, count) + count;
}

void *__memmove_chk(void *to, const void *from, size_t count, size_t room) {
    check(count, room);
    return memmove(to, from, count);
}

void *__memset_chk(void *to, int value, size_t count, size_t room) {
    check(count, room);
    return memset(to, value, count);
}

void __explicit_bzero_chk(void *to, size_t count, size_t room) {
    check(count, room);
    memset(to, 0, count);
}

char *__stpcpy_chk(char *restrict to, const char *restrict from, size_t room) {
    check(strlen(from) + 1, room);
    return stpcpy(to, from);
}

char *__strcpy_chk(char *restrict to, const char *restrict from, size_t room) {
    __stpcpy_chk(to, from, room);
    return to;
}

char *__stpncpy_chk(char *restrict to, const char *restrict from, size_t count, size_t room) {
    check(count, room);
    return stpncpy(to, from, count);
}

char *__strncpy_chk(char *restrict to, const char *restrict from, size_t count, size_t room) {
    __stpncpy_chk(to, from, count, room);
    return to;
}

char *__strcat_chk(char *restrict to, const char *restrict from, size_t room) {
    check(strlen(to) + strlen(from) + 1, room);
    return strcat(to, from);
}

char *__strncat_chk(char *restrict to, const char *restrict from, size_t count, size_t room) {
    check(strlen(to) + strnlen(from, count) + 1, room);
    return strncat(to, from, count);
}

char *__fgets_chk(char *restrict s, size_t room, int size, FILE *restrict stream) {
    check(size > 0 ? (size_t)size : 0, room);
    return fgets(s, size, stream);
}

size_t __fread_chk(void *restrict bytes, size_t room, size_t size, size_t count,
                   FILE *restrict stream) {
    check(size * count, room);
    return fread(bytes, size, count, stream);
}
