/* stdio.h: streams.
 *
 * Nothing is buffered: what a program has printed is with the machine at once,
 * also when the program then fails, and a path that forks copies no buffers. How
 * streams come to be is in streams.c. */
#include "internal.h"

long ep_stream_write(FILE *stream, const void *bytes, size_t count) {
    long written = -1;
    stream->flags = (stream->flags & ~EP_STREAM_READ) | EP_STREAM_WRITTEN;
    if (stream->device->write)
        written = count ? stream->device->write(stream, bytes, count) : 0;
    else
        errno = EBADF;
    if (written < 0)
        stream->flags |= EP_STREAM_ERROR;
    return written;
}

/* The length of a string, at most the limit, as arithmetic: no fork for each place where it
 * may end. Where it may have ended, only what goes on is read on: a string that may have no
 * end is read behind its object where it has none, and nowhere else. */
size_t ep_length_for_all(const char *s, size_t limit) {
    uint64_t goes_on = 1;
    size_t length = 0;
    bool was_asked = false;
    for (size_t i = 0;; i++) {
        const char *at = s + i;
        bool is_anywhere = __ep_is_open((uintptr_t)at);
        goes_on &= i < limit;
        if (__ep_is_open(goes_on)) {
            if (is_anywhere && i > 0) {
                if (!__ep_may_hold(goes_on))
                    break;
                at = s + (i & -goes_on);
            } else if ((is_anywhere || !__ep_is_inside(at)) && !goes_on) {
                break;
            }
        } else if (!goes_on) {
            break;
        }
        goes_on &= *at != 0;
        /* Asked once: a path that has looked at the string knows where it ends. */
        if (!was_asked && __ep_is_open(goes_on) && !__ep_example(goes_on)) {
            was_asked = true;
            if (!__ep_may_hold(goes_on))
                break;
        }
        length += goes_on;
    }
    return length;
}

/* Has a string be an example of itself, and gives the example's length; `length` is that for
 * all values. */
size_t ep_example_of(const char **s, size_t limit, size_t length) {
    *s = (const char *)(uintptr_t)__ep_example((uintptr_t)*s);
    if (!__ep_is_open(length))
        return length;
    size_t shown = 0;
    limit = __ep_example(limit);
    while (shown < limit && __ep_example((unsigned char)(*s)[shown]))
        shown++;
    return shown;
}

/* Writes a string; the number of bytes, or -1. */
static long write_string(FILE *stream, const char *s) {
    size_t length, shown;
    if (stream->flags & EP_STREAM_SHOWN) {
        length = ep_length_for_all(s, SIZE_MAX);
        shown = ep_example_of(&s, SIZE_MAX, length);
    } else {
        length = shown = strlen(s);
    }
    return ep_stream_write(stream, s, shown) < 0 ? -1 : (long)length;
}

int fputc(int c, FILE *stream) {
    unsigned char byte = (unsigned char)c;
    return ep_stream_write(stream, &byte, 1) < 0 ? EOF : byte;
}

int putc(int c, FILE *stream) {
    return fputc(c, stream);
}

int _IO_putc(int c, FILE *stream) {
    return fputc(c, stream);
}

int putchar(int c) {
    return fputc(c, stdout);
}

int fputs(const char *restrict s, FILE *restrict stream) {
    return write_string(stream, s) < 0 ? EOF : 1;
}

int puts(const char *s) {
    long length = write_string(stdout, s);
    return length < 0 || ep_stream_write(stdout, "\n", 1) < 0 ? EOF : (int)length + 1;
}

size_t fwrite(const void *restrict bytes, size_t size, size_t count, FILE *restrict stream) {
    if (size == 0 || count == 0)
        return 0;
    long written = ep_stream_write(stream, bytes, size * count);
    return written < 0 ? 0 : (size_t)written / size;
}

int fflush(FILE *stream) {
    (void)stream;
    return 0;
}

void perror(const char *message) {
    const char *text = strerror(errno);
    if (message && *message) {
        fputs(message, stderr);
        fputs(": ", stderr);
    }
    fputs(text, stderr);
    fputc('\n', stderr);
}

/* What the headers' putc_unlocked() calls when there is no room in the buffer,
 * which is always. */
int __overflow(FILE *stream, int c) {
    return fputc(c, stream);
}

int putc_unlocked(int c, FILE *stream) {
    return fputc(c, stream);
}

int putchar_unlocked(int c) {
    return fputc(c, stdout);
}

int fputc_unlocked(int c, FILE *stream) {
    return fputc(c, stream);
}

int fputs_unlocked(const char *restrict s, FILE *restrict stream) {
    return fputs(s, stream);
}

size_t fwrite_unlocked(const void *restrict bytes, size_t size, size_t count,
                       FILE *restrict stream) {
    return fwrite(bytes, size, count, stream);
}

int fflush_unlocked(FILE *stream) {
    return fflush(stream);
}

/* Input. */

/* What the device has next, at most `count` bytes; the stream notes an end or an error. */
static long read_some(FILE *stream, void *bytes, size_t count) {
    long got = -1;
    stream->flags = (stream->flags & ~EP_STREAM_WRITTEN) | EP_STREAM_READ;
    if (stream->device->read)
        got = stream->device->read(stream, bytes, count);
    else
        errno = EBADF;
    if (got <= 0)
        stream->flags |= got == 0 ? EP_STREAM_END : EP_STREAM_ERROR;
    return got;
}

int fgetc(FILE *stream) {
    if (stream->read_ptr < stream->read_end)
        return (unsigned char)*stream->read_ptr++;
    if (stream->flags & EP_STREAM_END)
        return EOF;
    unsigned char byte;
    return read_some(stream, &byte, 1) == 1 ? byte : EOF;
}

int getc(FILE *stream) {
    return fgetc(stream);
}

int _IO_getc(FILE *stream) {
    return fgetc(stream);
}

int getchar(void) {
    return fgetc(stdin);
}

/* What the headers' getc_unlocked() calls when the buffer is empty. */
int __uflow(FILE *stream) {
    return fgetc(stream);
}

int getc_unlocked(FILE *stream) {
    return fgetc(stream);
}

int getchar_unlocked(void) {
    return fgetc(stdin);
}

int fgetc_unlocked(FILE *stream) {
    return fgetc(stream);
}

int ungetc(int c, FILE *stream) {
    if (c == EOF || stream->read_ptr == stream->read_base)
        return EOF;
    *--stream->read_ptr = (char)c;
    stream->flags &= ~EP_STREAM_END;
    return (unsigned char)c;
}

char *fgets(char *restrict s, int size, FILE *restrict stream) {
    int length = 0;
    if (size <= 0)
        return NULL;
    while (length < size - 1) {
        int c = fgetc(stream);
        if (c == EOF)
            break;
        s[length++] = (char)c;
        if (c == '\n')
            break;
    }
    if (length == 0 && size > 1)
        return NULL;
    s[length] = 0;
    return s;
}

char *fgets_unlocked(char *restrict s, int size, FILE *restrict stream) {
    return fgets(s, size, stream);
}

size_t fread(void *restrict bytes, size_t size, size_t count, FILE *restrict stream) {
    char *to = bytes;
    size_t wanted = size * count, done = 0;
    if (wanted == 0)
        return 0;
    while (done < wanted && stream->read_ptr < stream->read_end)
        to[done++] = *stream->read_ptr++;
    while (done < wanted && !(stream->flags & (EP_STREAM_END | EP_STREAM_ERROR))) {
        long got = read_some(stream, to + done, wanted - done);
        if (got > 0)
            done += (size_t)got;
    }
    return done / size;
}

size_t fread_unlocked(void *restrict bytes, size_t size, size_t count, FILE *restrict stream) {
    return fread(bytes, size, count, stream);
}

long getdelim(char **restrict line, size_t *restrict size, int delimiter, FILE *restrict stream) {
    size_t length = 0;
    if (!line || !size) {
        errno = EINVAL;
        return -1;
    }
    for (;;) {
        if (!*line || length + 2 > *size) {
            size_t larger = !*line || *size < 60 ? 120 : 2 * *size;
            char *grown = realloc(*line, larger);
            if (!grown)
                return -1;
            *line = grown;
            *size = larger;
        }
        int c = fgetc(stream);
        if (c == EOF)
            break;
        (*line)[length++] = (char)c;
        if (c == delimiter)
            break;
    }
    (*line)[length] = 0;
    return length ? (long)length : -1;
}

long __getdelim(char **restrict line, size_t *restrict size, int delimiter, FILE *restrict stream) {
    return getdelim(line, size, delimiter, stream);
}

long getline(char **restrict line, size_t *restrict size, FILE *restrict stream) {
    return getdelim(line, size, '\n', stream);
}

/* The state of a stream. */

int feof(FILE *stream) {
    return (stream->flags & EP_STREAM_END) != 0;
}

int ferror(FILE *stream) {
    return (stream->flags & EP_STREAM_ERROR) != 0;
}

void clearerr(FILE *stream) {
    stream->flags &= ~(EP_STREAM_END | EP_STREAM_ERROR);
}

int feof_unlocked(FILE *stream) {
    return feof(stream);
}

int ferror_unlocked(FILE *stream) {
    return ferror(stream);
}

void clearerr_unlocked(FILE *stream) {
    clearerr(stream);
}

int fileno(FILE *stream) {
    if (stream->fd < 0)
        errno = EBADF;
    return stream->fd;
}

int fileno_unlocked(FILE *stream) {
    return fileno(stream);
}

int setvbuf(FILE *restrict stream, char *restrict buffer, int mode, size_t size) {
    (void)stream, (void)buffer, (void)mode, (void)size;
    return 0;
}

void setbuf(FILE *restrict stream, char *restrict buffer) {
    (void)stream, (void)buffer;
}

void setlinebuf(FILE *stream) {
    (void)stream;
}

void setbuffer(FILE *restrict stream, char *restrict buffer, size_t size) {
    (void)stream, (void)buffer, (void)size;
}

void flockfile(FILE *stream) {
    (void)stream;
}

void funlockfile(FILE *stream) {
    (void)stream;
}
