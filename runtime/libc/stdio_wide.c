/* wchar.h: streams of wide characters, each written as the bytes that the locale has for
 * it. */
#include "internal.h"

typedef unsigned wint_t;
#define WEOF ((wint_t)-1)

typedef struct {
    unsigned opaque[2];
} mbstate_t;
size_t mbrtowc(wchar_t *restrict to, const char *restrict from, size_t count,
               mbstate_t *restrict state);
size_t wcrtomb(char *restrict to, wchar_t wide, mbstate_t *restrict state);
int fgetc(FILE *stream);
int ungetc(int c, FILE *stream);

enum { LONGEST = 16, EP_EILSEQ = 84 };

wint_t fgetwc(FILE *stream) {
    mbstate_t state = {{0, 0}};
    for (int read = 0;; read++) {
        int c = fgetc(stream);
        if (c == EOF) {
            /* A character that was begun and does not end is none. */
            if (read > 0) {
                errno = EP_EILSEQ;
                stream->flags |= EP_STREAM_ERROR;
            }
            return WEOF;
        }
        char byte = (char)c;
        wchar_t wide;
        size_t taken = mbrtowc(&wide, &byte, 1, &state);
        if (taken == (size_t)-1) {
            stream->flags |= EP_STREAM_ERROR;
            return WEOF;
        }
        if (taken != (size_t)-2)
            return (wint_t)wide;
    }
}

wint_t getwc(FILE *stream) {
    return fgetwc(stream);
}

wint_t getwchar(void) {
    return fgetwc(stdin);
}

wint_t ungetwc(wint_t c, FILE *stream) {
    char bytes[LONGEST];
    mbstate_t state = {{0, 0}};
    size_t count = c == WEOF ? (size_t)-1 : wcrtomb(bytes, (wchar_t)c, &state);
    if (count == (size_t)-1)
        return WEOF;
    while (count > 0)
        if (ungetc((unsigned char)bytes[--count], stream) == EOF)
            return WEOF;
    return c;
}

wchar_t *fgetws(wchar_t *restrict s, int size, FILE *restrict stream) {
    int length = 0;
    while (length + 1 < size) {
        wint_t c = fgetwc(stream);
        if (c == WEOF && (length == 0 || stream->flags & EP_STREAM_ERROR))
            return NULL;
        if (c == WEOF)
            break;
        s[length++] = (wchar_t)c;
        if (c == L'\n')
            break;
    }
    if (size > 0)
        s[length] = 0;
    return size > 0 ? s : NULL;
}

wint_t fputwc(wchar_t c, FILE *stream) {
    char bytes[LONGEST];
    mbstate_t state = {{0, 0}};
    size_t count = wcrtomb(bytes, c, &state);
    if (count == (size_t)-1) {
        stream->flags |= EP_STREAM_ERROR;
        return WEOF;
    }
    return ep_stream_write(stream, bytes, count) < 0 ? WEOF : (wint_t)c;
}

wint_t putwc(wchar_t c, FILE *stream) {
    return fputwc(c, stream);
}

wint_t putwchar(wchar_t c) {
    return fputwc(c, stdout);
}

int fputws(const wchar_t *restrict s, FILE *restrict stream) {
    for (; *s; s++)
        if (fputwc(*s, stream) == WEOF)
            return -1;
    return 1;
}

/* A stream has no orientation of its own: it is what was asked for last. */
int fwide(FILE *stream, int mode) {
    (void)stream;
    return mode;
}
