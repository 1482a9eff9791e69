/* What the files of this library share, and what they expect of the machine.
 *
 * The library is linked into the program under test and run by the machine like
 * any other code, so that paths fork where a program's own loop would fork. It
 * follows three rules:
 *
 *   - plain freestanding C, with the prototypes of glibc, so that a program
 *     compiled with the system's headers links against it;
 *   - it decides as little as it can: a test that can be written as arithmetic
 *     (`is it a digit`) is, and does not fork twice where once is enough;
 *   - where the result can be observed, it is the one glibc gives, because the
 *     tests that come out are replayed against glibc.
 */
#ifndef EVERYPATH_LIBC_INTERNAL_H
#define EVERYPATH_LIBC_INTERNAL_H

#include <float.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Primitives: what the machine itself provides. */

/* Writes to a file descriptor, reads from one: the number of bytes, 0 at the end
 * of the input, or an error number as a negative one. Bytes that depend on inputs are written as the
 * values they have in the current model. */
long __ep_write(int fd, const void *bytes, size_t count);
long __ep_read(int fd, void *bytes, size_t count);

/* A system call of Linux on x86-64: its result, or an error number as a negative one. */
long __ep_syscall(long number, long a, long b, long c, long d, long e, long f);

/* Ends the path: with this status, as abort() does, with a failed assertion, or
 * with a note on what is not supported. */
_Noreturn void __ep_exit(int status);
_Noreturn void __ep_abort(void);
_Noreturn void __ep_assert_fail(const char *condition, const char *file, unsigned line,
                                const char *function);
_Noreturn void __ep_unsupported(const char *what);

/* A value this one can have on this path. Unlike a comparison it decides
 * nothing: no path forks and no constraint is added. Used for output only. */
uint64_t __ep_example(uint64_t value);

/* What else is asked of values that are shown, and decides nothing: whether one depends on
 * inputs, whether a condition can hold on this path (yes if that is not known), whether
 * there is a byte at an address, and whether the program looks at what the function that
 * it called returns. */
bool __ep_is_open(uint64_t value);
bool __ep_may_hold(uint64_t condition);
bool __ep_is_inside(const void *address);
bool __ep_is_result_read(void);

/* A value that this one has from here on; the run is told that others were not followed. */
uint64_t __ep_hold(uint64_t value);

/* Ends the path if these many bytes are copied between places that overlap. */
void __ep_apart(const void *to, const void *from, size_t count);

/* Whether the function of this library that the program called was called by the standard
 * library of C++ or Rust. */
bool __ep_is_for_standard_library(void);

/* A conversion of a format is about to take an argument of this kind; one that is missing
 * or of another kind is an error of the program. */
enum ep_taken { EP_INT, EP_LONG, EP_POINTER, EP_DOUBLE, EP_LONG_DOUBLE };
void __ep_argument(const void *list, enum ep_taken taken, char letter);

/* The heap. */
void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void *realloc(void *block, size_t size);
void free(void *block);

/* errno and the values the library sets it to (Linux). */
int *__errno_location(void);
#define errno (*__errno_location())
enum {
    EINTR = 4,
    EBADF = 9,
    ENOMEM = 12,
    EISDIR = 21,
    EINVAL = 22,
    ENOSPC = 28,
    ESPIPE = 29,
    ERANGE = 34,
    EOVERFLOW = 75,
    EILSEQ = 84
};

/* A system call of up to three arguments, failing as C functions do. */
enum {
    EP_READ = 0,
    EP_WRITE = 1,
    EP_OPEN = 2,
    EP_CLOSE = 3,
    EP_LSEEK = 8,
    EP_FCNTL = 72,
    EP_RENAME = 82,
    EP_RMDIR = 84,
    EP_UNLINK = 87,
    EP_DUP3 = 292
};
static inline long ep_result(long result) {
    if (result >= 0)
        return result;
    errno = (int)-result;
    return -1;
}
static inline long ep_system(long number, long a, long b, long c) {
    return ep_result(__ep_syscall(number, a, b, c, 0, 0, 0));
}

/* Streams. The first fields lie as in glibc, whose headers turn getc_unlocked()
 * and friends into accesses to them. */
typedef struct _IO_FILE FILE;
struct _IO_FILE {
    int flags;
    char *read_ptr, *read_end, *read_base;
    char *write_base, *write_ptr, *write_end;
    char *buffer_base, *buffer_end;
    char *save_base, *backup_base, *save_end;
    void *markers, *chain;
    int fd; /* -1 for a stream that is no file */
    int flags2;
    char pushed_back[8];
    const struct ep_device *device;
    void *cookie; /* the device's own */
};
/* EP_STREAM_SHOWN is set for what a person reads and the program cannot read back. */
enum {
    EP_STREAM_END = 0x10,
    EP_STREAM_ERROR = 0x20,
    EP_STREAM_SHOWN = 0x40,
    EP_STREAM_READ = 0x80,     /* the last that was done with it */
    EP_STREAM_WRITTEN = 0x100, /* the same */
    EOF = -1
};
extern FILE *stdin, *stdout, *stderr;

enum { EP_FROM_START, EP_FROM_HERE, EP_FROM_END };

/* What is behind a stream. Each function gives the number of bytes, or -1 with errno
 * set; a device that cannot do a thing has none for it. */
struct ep_device {
    long (*read)(FILE *stream, void *bytes, size_t count);
    long (*write)(FILE *stream, const void *bytes, size_t count);
    long (*seek)(FILE *stream, long offset, int whence);
    int (*close)(FILE *stream);
};
extern const struct ep_device ep_descriptor;
size_t ep_length_for_all(const char *s, size_t limit);
size_t ep_example_of(const char **s, size_t limit, size_t length);
void ep_stream_start(FILE *stream, const struct ep_device *device, int fd);
long ep_stream_write(FILE *stream, const void *bytes, size_t count);

/* Where formatted output goes: to memory, or in pieces to a stream. */
struct ep_sink {
    char *buffer;
    size_t capacity; /* of the buffer; memory keeps one byte for the final nul */
    size_t used;     /* bytes in the buffer that are not yet written */
    size_t count;    /* bytes put so far, also those there was no room for */
    FILE *stream;    /* NULL for memory */
    int failed;
    /* Where examples are shown: whether the program learns how many bytes there are, and how
     * many more those of the real values are than those of the examples. */
    bool is_counted;
    long beyond;
};
void ep_sink_put(struct ep_sink *sink, char byte);
void ep_sink_fill(struct ep_sink *sink, char byte, long count);

/* One conversion specification of printf. */
struct ep_conversion {
    unsigned char left, plus, space, alternative, zero, upper;
    int width;
    int precision; /* -1 when none was given */
    char letter;
};
int ep_format(struct ep_sink *sink, const char *format, va_list arguments);
/* Puts prefix, then `zeros` zeros, then the body, padded to the width. */
void ep_format_padded(struct ep_sink *sink, const struct ep_conversion *conversion,
                      const char *prefix, long zeros, const char *body, long length);

/* A floating-point number taken apart: mantissa * 2^exponent. */
struct ep_float {
    enum { EP_FINITE, EP_INFINITE, EP_NAN } kind;
    int negative;
    uint64_t mantissa;
    int exponent;
    int bits; /* of the format's mantissa: 24, 53 or 64 */
};
struct ep_float ep_unpack_double(double value);
struct ep_float ep_unpack_long_double(long double value);
void ep_format_float(struct ep_sink *sink, const struct ep_conversion *conversion,
                     const struct ep_float *value);

/* Exact decimal numbers: limbs of nine digits, most significant first, in a
 * ring. Limb `point` is the first after the decimal point; limbs outside
 * [begin, end) are zero. Large enough for every digit of a long double. */
enum { EP_LIMBS = 2048, EP_LIMB_DIGITS = 9, EP_LIMB_BASE = 1000000000 };
struct ep_decimal {
    int begin, end, point;
    uint32_t limb[EP_LIMBS];
};
extern const uint32_t ep_power_of_ten[EP_LIMB_DIGITS + 1];
uint32_t *ep_decimal_limb(struct ep_decimal *number, int index);
void ep_decimal_shift_left(struct ep_decimal *number, int bits);
void ep_decimal_shift_right(struct ep_decimal *number, int bits);

/* A list of arguments that functions may take from in turn: a parameter of type
 * va_list is a copy on some machines and none on others. */
struct ep_arguments {
    va_list list;
};

/* The body of a function with arguments after `format`, given the call of the
 * one that takes them as the list `arguments`. */
#define EP_FORWARD(call)                                                                           \
    va_list arguments;                                                                             \
    va_start(arguments, format);                                                                   \
    int count = call;                                                                              \
    va_end(arguments);                                                                             \
    return count

/* The characters isspace() and isdigit() know and the digits of strtol(), without
 * a branch. */
static inline int ep_is_space(unsigned char c) {
    return (c == ' ') | ((unsigned)c - '\t' < 5);
}
static inline int ep_is_digit(char c) {
    return (unsigned char)c - (unsigned)'0' < 10;
}
static inline unsigned ep_digit_value(unsigned char c) {
    unsigned digit = (unsigned)c - '0', letter = ((unsigned)c | 32) - 'a';
    unsigned is_digit = digit < 10, is_letter = letter < 26;
    return is_digit * digit + is_letter * (letter + 10) + (1 - is_digit - is_letter) * 99;
}

size_t strlen(const char *s);
size_t strnlen(const char *s, size_t limit);
void *memcpy(void *restrict to, const void *restrict from, size_t count);
void *memmove(void *to, const void *from, size_t count);
void *memset(void *to, int byte, size_t count);
char *strerror(int number);

#endif
