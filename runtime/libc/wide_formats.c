/* wchar.h: formatted input and output of wide characters, by the functions for bytes. The
 * format and the texts are those of ASCII; what is beyond it is refused by name, because how
 * many bytes it has depends on the locale, and widths count characters here. */
#include "internal.h"

size_t wcslen(const wchar_t *s);
int vfprintf(FILE *restrict stream, const char *restrict format, va_list arguments);
int vsnprintf(char *restrict buffer, size_t size, const char *restrict format, va_list arguments);
int vfscanf(FILE *restrict stream, const char *restrict format, va_list arguments);
int vsscanf(const char *restrict s, const char *restrict format, va_list arguments);

static void narrow(char *to, const wchar_t *from) {
    do {
        if ((unsigned)*from > 127)
            __ep_unsupported("characters beyond ASCII in formatted wide input or output");
        *to++ = (char)*from;
    } while (*from++);
}

int vfwprintf(FILE *restrict stream, const wchar_t *restrict format, va_list arguments) {
    char bytes[wcslen(format) + 1];
    narrow(bytes, format);
    return vfprintf(stream, bytes, arguments);
}

int vwprintf(const wchar_t *restrict format, va_list arguments) {
    return vfwprintf(stdout, format, arguments);
}

/* The bytes are made where the wide characters go, and widened from the last one on. */
int vswprintf(wchar_t *restrict s, size_t size, const wchar_t *restrict format,
              va_list arguments) {
    char bytes[wcslen(format) + 1];
    narrow(bytes, format);
    char *made = (char *)s;
    int count = vsnprintf(made, size, bytes, arguments);
    if (count < 0 || size == 0)
        return -1;
    size_t length = (size_t)count < size ? (size_t)count : size - 1;
    for (size_t i = length + 1; i-- > 0;) {
        if ((unsigned char)made[i] > 127)
            __ep_unsupported("characters beyond ASCII in formatted wide input or output");
        s[i] = made[i];
    }
    return (size_t)count < size ? count : -1;
}

int vfwscanf(FILE *restrict stream, const wchar_t *restrict format, va_list arguments) {
    char bytes[wcslen(format) + 1];
    narrow(bytes, format);
    return vfscanf(stream, bytes, arguments);
}

int vwscanf(const wchar_t *restrict format, va_list arguments) {
    return vfwscanf(stdin, format, arguments);
}

int vswscanf(const wchar_t *restrict s, const wchar_t *restrict format, va_list arguments) {
    char text[wcslen(s) + 1], bytes[wcslen(format) + 1];
    narrow(text, s);
    narrow(bytes, format);
    return vsscanf(text, bytes, arguments);
}

/* The same with the arguments in the call. */

int fwprintf(FILE *restrict stream, const wchar_t *restrict format, ...) {
    EP_FORWARD(vfwprintf(stream, format, arguments));
}

int wprintf(const wchar_t *restrict format, ...) {
    EP_FORWARD(vwprintf(format, arguments));
}

int swprintf(wchar_t *restrict s, size_t size, const wchar_t *restrict format, ...) {
    EP_FORWARD(vswprintf(s, size, format, arguments));
}

/* Headers call the functions that read by names of their own. */
#define FAMILY(prefix)                                                                             \
    int prefix##fwscanf(FILE *restrict stream, const wchar_t *restrict format, ...) {              \
        EP_FORWARD(vfwscanf(stream, format, arguments));                                           \
    }                                                                                              \
    int prefix##wscanf(const wchar_t *restrict format, ...) {                                      \
        EP_FORWARD(vwscanf(format, arguments));                                                    \
    }                                                                                              \
    int prefix##swscanf(const wchar_t *restrict s, const wchar_t *restrict format, ...) {          \
        EP_FORWARD(vswscanf(s, format, arguments));                                                \
    }

FAMILY()
FAMILY(__isoc99_)
FAMILY(__isoc23_)

#define LIST_FAMILY(prefix)                                                                        \
    int prefix##vfwscanf(FILE *restrict stream, const wchar_t *restrict format,                    \
                         va_list arguments) {                                                      \
        return vfwscanf(stream, format, arguments);                                                \
    }                                                                                              \
    int prefix##vwscanf(const wchar_t *restrict format, va_list arguments) {                       \
        return vwscanf(format, arguments);                                                         \
    }                                                                                              \
    int prefix##vswscanf(const wchar_t *restrict s, const wchar_t *restrict format,                \
                         va_list arguments) {                                                      \
        return vswscanf(s, format, arguments);                                                     \
    }

LIST_FAMILY(__isoc99_)
LIST_FAMILY(__isoc23_)
