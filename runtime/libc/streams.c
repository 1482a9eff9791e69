/* stdio.h: streams, how they come to be and end: files, memory, a program's own.
 *
 * A stream is a position and a device. Since nothing is buffered, the position is the
 * device's, but for bytes that were pushed back. */
#include "internal.h"

/* Descriptors. */

static long descriptor_read(FILE *stream, void *bytes, size_t count) {
    return ep_result(__ep_read(stream->fd, bytes, count));
}

static long descriptor_write(FILE *stream, const void *bytes, size_t count) {
    return ep_result(__ep_write(stream->fd, bytes, count));
}

static long descriptor_seek(FILE *stream, long offset, int whence) {
    return ep_system(EP_LSEEK, stream->fd, offset, whence);
}

static int descriptor_close(FILE *stream) {
    return (int)ep_system(EP_CLOSE, stream->fd, 0, 0);
}

const struct ep_device ep_descriptor = {descriptor_read, descriptor_write, descriptor_seek,
                                        descriptor_close};

/* Reading starts, and what is pushed back lies, at the end of the small buffer. */
#define STREAM(name, descriptor, is_shown)                                                         \
    static FILE name = {                                                                           \
        .fd = (descriptor),                                                                        \
        .flags = (is_shown),                                                                       \
        .read_ptr = name.pushed_back + sizeof name.pushed_back,                                    \
        .read_end = name.pushed_back + sizeof name.pushed_back,                                    \
        .read_base = name.pushed_back,                                                             \
        .device = &ep_descriptor,                                                                  \
    }

STREAM(standard_input, 0, 0);
STREAM(standard_output, 1, EP_STREAM_SHOWN);
STREAM(standard_error, 2, EP_STREAM_SHOWN);

FILE *stdin = &standard_input;
FILE *stdout = &standard_output;
FILE *stderr = &standard_error;

static void forget_pushed_back(FILE *stream) {
    stream->read_base = stream->pushed_back;
    stream->read_end = stream->pushed_back + sizeof stream->pushed_back;
    stream->read_ptr = stream->read_end;
}

void ep_stream_start(FILE *stream, const struct ep_device *device, int fd) {
    *stream = (FILE){.fd = fd, .device = device};
    if (device == &ep_descriptor && (fd == 1 || fd == 2))
        stream->flags = EP_STREAM_SHOWN;
    forget_pushed_back(stream);
}

static FILE *new_stream(const struct ep_device *device, int fd) {
    FILE *stream = malloc(sizeof *stream);
    if (stream)
        ep_stream_start(stream, device, fd);
    return stream;
}

/* Modes: what open() is told of "r", "w+", "a"; -1 for one that is none. */

enum {
    READ_ONLY = 0,
    WRITE_ONLY = 01,
    READ_WRITE = 02,
    CREATE = 0100,
    EXCLUSIVE = 0200,
    TRUNCATE = 01000,
    APPEND = 02000,
    CLOSE_ON_EXEC = 02000000
};

static int flags_of(const char *mode) {
    int flags;
    switch (*mode) {
    case 'r':
        flags = READ_ONLY;
        break;
    case 'w':
        flags = WRITE_ONLY | CREATE | TRUNCATE;
        break;
    case 'a':
        flags = WRITE_ONLY | CREATE | APPEND;
        break;
    default:
        errno = EINVAL;
        return -1;
    }
    for (mode++; *mode && *mode != ','; mode++) {
        if (*mode == '+')
            flags = (flags & ~WRITE_ONLY) | READ_WRITE;
        else if (*mode == 'x')
            flags |= EXCLUSIVE;
        else if (*mode == 'e')
            flags |= CLOSE_ON_EXEC;
    }
    return flags;
}

/* Files. */

static int open_file(const char *name, int flags) {
    return (int)ep_system(EP_OPEN, (long)name, flags, 0666);
}

FILE *fopen(const char *restrict name, const char *restrict mode) {
    int flags = flags_of(mode);
    int fd = flags < 0 ? -1 : open_file(name, flags);
    if (fd < 0)
        return NULL;
    FILE *stream = new_stream(&ep_descriptor, fd);
    if (!stream)
        ep_system(EP_CLOSE, fd, 0, 0);
    return stream;
}

FILE *fopen64(const char *restrict name, const char *restrict mode) {
    return fopen(name, mode);
}

FILE *fdopen(int fd, const char *mode) {
    enum { GET_FLAGS = 3, SET_FLAGS = 4 };
    int flags = flags_of(mode);
    long present = flags < 0 ? -1 : ep_system(EP_FCNTL, fd, GET_FLAGS, 0);
    if (present < 0)
        return NULL;
    if (flags & APPEND && !(present & APPEND))
        ep_system(EP_FCNTL, fd, SET_FLAGS, present | APPEND);
    return new_stream(&ep_descriptor, fd);
}

FILE *freopen(const char *restrict name, const char *restrict mode, FILE *restrict stream) {
    int flags = flags_of(mode);
    /* Without a name the mode is to change, which the three streams do not need. */
    if (!name && flags >= 0 && stream->fd >= 0)
        return stream;
    int opened = flags < 0 || !name ? -1 : open_file(name, flags);
    int fd = stream->fd;
    if (opened >= 0 && fd >= 0 && opened != fd) {
        fd = (int)ep_system(EP_DUP3, opened, fd, flags & CLOSE_ON_EXEC);
        ep_system(EP_CLOSE, opened, 0, 0);
        opened = fd;
    } else if (opened < 0) {
        stream->device->close(stream);
    }
    ep_stream_start(stream, &ep_descriptor, opened);
    stream->flags &= ~EP_STREAM_SHOWN;
    return opened < 0 ? NULL : stream;
}

FILE *freopen64(const char *restrict name, const char *restrict mode, FILE *restrict stream) {
    return freopen(name, mode, stream);
}

int fclose(FILE *stream) {
    int failed = stream->device->close ? stream->device->close(stream) : 0;
    if (stream == &standard_input || stream == &standard_output || stream == &standard_error)
        ep_stream_start(stream, &ep_descriptor, -1);
    else
        free(stream);
    return failed ? EOF : 0;
}

int fcloseall(void) {
    return 0;
}

/* A file nobody can open by its name, which it has for a moment only. */
FILE *tmpfile(void) {
    char name[] = "/tmp/tmpf.0000";
    for (char *digit = name + sizeof name - 2; *digit != '.';) {
        FILE *stream = fopen(name, "w+x");
        if (stream) {
            ep_system(EP_UNLINK, (long)name, 0, 0);
            return stream;
        }
        for (digit = name + sizeof name - 2; *digit == '9'; digit--)
            *digit = '0';
        ++*digit;
    }
    return NULL;
}

FILE *tmpfile64(void) {
    return tmpfile();
}

int remove(const char *name) {
    if (ep_system(EP_UNLINK, (long)name, 0, 0) == 0)
        return 0;
    return errno == EISDIR ? (int)ep_system(EP_RMDIR, (long)name, 0, 0) : -1;
}

int rename(const char *from, const char *to) {
    return (int)ep_system(EP_RENAME, (long)from, (long)to, 0);
}

/* Positions. */

int fseeko(FILE *stream, long offset, int whence) {
    if (whence == EP_FROM_HERE)
        offset -= stream->read_end - stream->read_ptr;
    if (!stream->device->seek) {
        errno = ESPIPE;
        return -1;
    }
    if (stream->device->seek(stream, offset, whence) < 0)
        return -1;
    forget_pushed_back(stream);
    stream->flags &= ~EP_STREAM_END;
    return 0;
}

long ftello(FILE *stream) {
    if (!stream->device->seek) {
        errno = ESPIPE;
        return -1;
    }
    long at = stream->device->seek(stream, 0, EP_FROM_HERE);
    return at < 0 ? at : at - (stream->read_end - stream->read_ptr);
}

int fseek(FILE *stream, long offset, int whence) {
    return fseeko(stream, offset, whence);
}

int fseeko64(FILE *stream, long offset, int whence) {
    return fseeko(stream, offset, whence);
}

long ftell(FILE *stream) {
    return ftello(stream);
}

long ftello64(FILE *stream) {
    return ftello(stream);
}

void rewind(FILE *stream) {
    fseeko(stream, 0, EP_FROM_START);
    stream->flags &= ~(EP_STREAM_END | EP_STREAM_ERROR);
}

/* glibc's fpos_t begins with the offset. */
int fgetpos(FILE *restrict stream, long *restrict position) {
    long at = ftello(stream);
    if (at < 0)
        return -1;
    *position = at;
    return 0;
}

int fsetpos(FILE *stream, const long *position) {
    return fseeko(stream, *position, EP_FROM_START);
}

int fgetpos64(FILE *restrict stream, long *restrict position) {
    return fgetpos(stream, position);
}

int fsetpos64(FILE *stream, const long *position) {
    return fsetpos(stream, position);
}

/* Memory as a file. */

struct memory {
    char *bytes;
    size_t room, size, at;
    int flags;
    char *owned; /* memory that ends with the stream */
    /* For open_memstream(): where the program finds the buffer and its size. */
    char **shown_bytes;
    size_t *shown_size;
};

static long memory_read(FILE *stream, void *bytes, size_t count) {
    struct memory *memory = stream->cookie;
    if ((memory->flags & (WRITE_ONLY | READ_WRITE)) == WRITE_ONLY) {
        errno = EBADF;
        return -1;
    }
    size_t left = memory->at < memory->size ? memory->size - memory->at : 0;
    if (count > left)
        count = left;
    memcpy(bytes, memory->bytes + memory->at, count);
    memory->at += count;
    return (long)count;
}

static int grow(struct memory *memory, size_t needed) {
    if (needed <= memory->room)
        return 0;
    size_t room = 2 * memory->room > needed ? 2 * memory->room : needed;
    char *larger = realloc(memory->bytes, room);
    if (!larger)
        return -1;
    memset(larger + memory->room, 0, room - memory->room);
    memory->bytes = larger;
    memory->room = room;
    return 0;
}

static long memory_write(FILE *stream, const void *bytes, size_t count) {
    struct memory *memory = stream->cookie;
    if (!(memory->flags & (WRITE_ONLY | READ_WRITE))) {
        errno = EBADF;
        return -1;
    }
    if (memory->flags & APPEND)
        memory->at = memory->size;
    if (memory->shown_bytes && grow(memory, memory->at + count + 1) != 0)
        return -1;
    size_t left = memory->at < memory->room ? memory->room - memory->at : 0;
    if (count > left)
        count = left;
    if (count == 0) {
        errno = ENOSPC;
        return -1;
    }
    memcpy(memory->bytes + memory->at, bytes, count);
    memory->at += count;
    if (memory->at > memory->size)
        memory->size = memory->at;
    if (memory->size < memory->room)
        memory->bytes[memory->size] = 0;
    if (memory->shown_bytes) {
        *memory->shown_bytes = memory->bytes;
        *memory->shown_size = memory->at;
    }
    return (long)count;
}

static long memory_seek(FILE *stream, long offset, int whence) {
    struct memory *memory = stream->cookie;
    size_t from = whence == EP_FROM_START ? 0 : whence == EP_FROM_HERE ? memory->at : memory->size;
    long to = (long)from + offset;
    if (to < 0 || (!memory->shown_bytes && (size_t)to > memory->room)) {
        errno = EINVAL;
        return -1;
    }
    memory->at = (size_t)to;
    return to;
}

static int memory_close(FILE *stream) {
    struct memory *memory = stream->cookie;
    free(memory->owned);
    free(memory);
    return 0;
}

static const struct ep_device memory_device = {memory_read, memory_write, memory_seek,
                                               memory_close};

static FILE *memory_stream(struct memory start) {
    struct memory *memory = malloc(sizeof *memory);
    FILE *stream = memory ? new_stream(&memory_device, -1) : NULL;
    if (!stream) {
        free(memory);
        return NULL;
    }
    *memory = start;
    stream->cookie = memory;
    return stream;
}

FILE *fmemopen(void *restrict bytes, size_t size, const char *restrict mode) {
    int flags = flags_of(mode);
    if (flags < 0)
        return NULL;
    struct memory start = {.bytes = bytes, .room = size, .flags = flags};
    if (!bytes && !(start.bytes = start.owned = calloc(size, 1)))
        return NULL;
    if (flags & TRUNCATE && size > 0)
        start.bytes[0] = 0;
    else if (flags & APPEND)
        start.size = start.at = strnlen(start.bytes, size);
    else
        start.size = size;
    return memory_stream(start);
}

FILE *open_memstream(char **bytes, size_t *size) {
    struct memory start = {.flags = WRITE_ONLY, .shown_bytes = bytes, .shown_size = size};
    if (grow(&start, 1) != 0)
        return NULL;
    *bytes = start.bytes;
    *size = 0;
    return memory_stream(start);
}

/* A program's own devices. */

struct cookie_functions {
    long (*read)(void *, char *, size_t);
    long (*write)(void *, const char *, size_t);
    int (*seek)(void *, long *, int);
    int (*close)(void *);
};
struct cookie {
    void *argument;
    struct cookie_functions functions;
};

static long cookie_read(FILE *stream, void *bytes, size_t count) {
    struct cookie *cookie = stream->cookie;
    return cookie->functions.read ? cookie->functions.read(cookie->argument, bytes, count) : 0;
}

static long cookie_write(FILE *stream, const void *bytes, size_t count) {
    struct cookie *cookie = stream->cookie;
    if (!cookie->functions.write)
        return (long)count;
    long written = cookie->functions.write(cookie->argument, bytes, count);
    return written > 0 ? written : -1;
}

static long cookie_seek(FILE *stream, long offset, int whence) {
    struct cookie *cookie = stream->cookie;
    if (!cookie->functions.seek) {
        errno = ESPIPE;
        return -1;
    }
    return cookie->functions.seek(cookie->argument, &offset, whence) == 0 ? offset : -1;
}

static int cookie_close(FILE *stream) {
    struct cookie *cookie = stream->cookie;
    int failed = cookie->functions.close ? cookie->functions.close(cookie->argument) : 0;
    free(cookie);
    return failed;
}

FILE *fopencookie(void *argument, const char *mode, struct cookie_functions functions) {
    static const struct ep_device device = {cookie_read, cookie_write, cookie_seek, cookie_close};
    struct cookie *cookie = flags_of(mode) < 0 ? NULL : malloc(sizeof *cookie);
    FILE *stream = cookie ? new_stream(&device, -1) : NULL;
    if (!stream) {
        free(cookie);
        return NULL;
    }
    *cookie = (struct cookie){argument, functions};
    stream->cookie = cookie;
    return stream;
}
