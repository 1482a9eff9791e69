/* stdio.h: the functions of the printf family, around the core of printf.c. */
#include "internal.h"

/* Bytes for a stream are collected in pieces of this size. */
enum { PIECE = 256 };

int vfprintf(FILE *restrict stream, const char *restrict format, va_list arguments) {
    char piece[PIECE];
    struct ep_sink sink = {.buffer = piece, .capacity = sizeof piece, .stream = stream};
    int count = ep_format(&sink, format, arguments);
    if (count < 0)
        stream->flags |= EP_STREAM_ERROR;
    return count;
}

int vdprintf(int fd, const char *restrict format, va_list arguments) {
    FILE stream;
    ep_stream_start(&stream, &ep_descriptor, fd);
    return vfprintf(&stream, format, arguments);
}

int vprintf(const char *restrict format, va_list arguments) {
    return vfprintf(stdout, format, arguments);
}

int vsnprintf(char *restrict buffer, size_t size, const char *restrict format, va_list arguments) {
    struct ep_sink sink = {.buffer = buffer, .capacity = size};
    return ep_format(&sink, format, arguments);
}

int vsprintf(char *restrict buffer, const char *restrict format, va_list arguments) {
    return vsnprintf(buffer, SIZE_MAX, format, arguments);
}

int vasprintf(char **restrict result, const char *restrict format, va_list arguments) {
    va_list again;
    va_copy(again, arguments);
    int count = vsnprintf(NULL, 0, format, arguments);
    *result = count < 0 ? NULL : malloc((size_t)count + 1);
    if (*result)
        vsnprintf(*result, (size_t)count + 1, format, again);
    va_end(again);
    return *result ? count : -1;
}

/* The same with the arguments in the call. */

int printf(const char *restrict format, ...) {
    EP_FORWARD(vprintf(format, arguments));
}

int fprintf(FILE *restrict stream, const char *restrict format, ...) {
    EP_FORWARD(vfprintf(stream, format, arguments));
}

int dprintf(int fd, const char *restrict format, ...) {
    EP_FORWARD(vdprintf(fd, format, arguments));
}

int sprintf(char *restrict buffer, const char *restrict format, ...) {
    EP_FORWARD(vsprintf(buffer, format, arguments));
}

int snprintf(char *restrict buffer, size_t size, const char *restrict format, ...) {
    EP_FORWARD(vsnprintf(buffer, size, format, arguments));
}

int asprintf(char **restrict result, const char *restrict format, ...) {
    EP_FORWARD(vasprintf(result, format, arguments));
}

/* What the headers call under _FORTIFY_SOURCE, with the room there is. */

_Noreturn void __chk_fail(void);

int __vprintf_chk(int flag, const char *restrict format, va_list arguments) {
    (void)flag;
    return vprintf(format, arguments);
}

int __vfprintf_chk(FILE *restrict stream, int flag, const char *restrict format,
                   va_list arguments) {
    (void)flag;
    return vfprintf(stream, format, arguments);
}

int __vsnprintf_chk(char *restrict buffer, size_t size, int flag, size_t room,
                    const char *restrict format, va_list arguments) {
    (void)flag;
    if (size > room)
        __chk_fail();
    return vsnprintf(buffer, size, format, arguments);
}

int __vsprintf_chk(char *restrict buffer, int flag, size_t room, const char *restrict format,
                   va_list arguments) {
    int count = __vsnprintf_chk(buffer, room, flag, room, format, arguments);
    if (count >= 0 && (size_t)count >= room)
        __chk_fail();
    return count;
}

int __vasprintf_chk(char **restrict result, int flag, const char *restrict format,
                    va_list arguments) {
    (void)flag;
    return vasprintf(result, format, arguments);
}

int __vdprintf_chk(int fd, int flag, const char *restrict format, va_list arguments) {
    (void)flag;
    return vdprintf(fd, format, arguments);
}

int __printf_chk(int flag, const char *restrict format, ...) {
    EP_FORWARD(__vprintf_chk(flag, format, arguments));
}

int __fprintf_chk(FILE *restrict stream, int flag, const char *restrict format, ...) {
    EP_FORWARD(__vfprintf_chk(stream, flag, format, arguments));
}

int __sprintf_chk(char *restrict buffer, int flag, size_t room, const char *restrict format, ...) {
    EP_FORWARD(__vsprintf_chk(buffer, flag, room, format, arguments));
}

int __snprintf_chk(char *restrict buffer, size_t size, int flag, size_t room,
                   const char *restrict format, ...) {
    EP_FORWARD(__vsnprintf_chk(buffer, size, flag, room, format, arguments));
}

int __asprintf_chk(char **restrict result, int flag, const char *restrict format, ...) {
    EP_FORWARD(__vasprintf_chk(result, flag, format, arguments));
}

int __dprintf_chk(int fd, int flag, const char *restrict format, ...) {
    EP_FORWARD(__vdprintf_chk(fd, flag, format, arguments));
}
