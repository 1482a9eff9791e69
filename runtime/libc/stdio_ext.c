/* stdio_ext.h: what a stream was opened for, what was last done with it, and what waits
 * in its buffer, which is nothing. */
#include "internal.h"

enum { READ_ONLY = 0, WRITE_ONLY = 01, ACCESS = 03 };

/* The three streams are for one thing, whatever their files are open for. */
static int access_of(FILE *stream) {
    enum { GET_FLAGS = 3 };
    if (stream == stdin)
        return READ_ONLY;
    if (stream == stdout || stream == stderr)
        return WRITE_ONLY;
    if (stream->fd >= 0)
        return (int)ep_system(EP_FCNTL, stream->fd, GET_FLAGS, 0) & ACCESS;
    if (!stream->device->write)
        return READ_ONLY;
    return stream->device->read ? ACCESS : WRITE_ONLY;
}

int __freadable(FILE *stream) {
    return access_of(stream) != WRITE_ONLY;
}

int __fwritable(FILE *stream) {
    return access_of(stream) != READ_ONLY;
}

int __freading(FILE *stream) {
    return access_of(stream) == READ_ONLY || stream->flags & EP_STREAM_READ;
}

int __fwriting(FILE *stream) {
    return access_of(stream) == WRITE_ONLY || stream->flags & EP_STREAM_WRITTEN;
}

size_t __fpending(FILE *stream) {
    (void)stream;
    return 0;
}

size_t __fbufsize(FILE *stream) {
    (void)stream;
    return 0;
}

int __flbf(FILE *stream) {
    (void)stream;
    return 0;
}

/* What was pushed back is forgotten. */
void __fpurge(FILE *stream) {
    stream->read_ptr = stream->read_end;
}

void _flushlbf(void) {}

int __fsetlocking(FILE *stream, int type) {
    enum { INTERNALLY = 1 };
    (void)stream, (void)type;
    return INTERNALLY;
}
