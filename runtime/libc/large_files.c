/* The names that glibc has for functions with offsets of 64 bits. Offsets have 64 bits here
 * anyway, and each is the system call. */
#include "internal.h"

enum {
    EP_STAT = 4,
    EP_FSTAT = 5,
    EP_LSTAT = 6,
    EP_MMAP = 9,
    EP_PREAD = 17,
    EP_PWRITE = 18,
    EP_TRUNCATE = 76,
    EP_FTRUNCATE = 77
};

void *mmap64(void *address, size_t size, int protection, int flags, int fd, long offset) {
    return (void *)ep_result(
        __ep_syscall(EP_MMAP, (long)address, (long)size, protection, flags, fd, offset));
}

/* The mode is there where a file may be made; see syscall(). */
int open64(const char *name, int flags, int mode) {
    return (int)ep_system(EP_OPEN, (long)name, flags, mode);
}

long lseek64(int fd, long offset, int whence) {
    return ep_system(EP_LSEEK, fd, offset, whence);
}

long pread64(int fd, void *bytes, size_t count, long offset) {
    return ep_result(__ep_syscall(EP_PREAD, fd, (long)bytes, (long)count, offset, 0, 0));
}

long pwrite64(int fd, const void *bytes, size_t count, long offset) {
    return ep_result(__ep_syscall(EP_PWRITE, fd, (long)bytes, (long)count, offset, 0, 0));
}

int truncate64(const char *name, long size) {
    return (int)ep_system(EP_TRUNCATE, (long)name, size, 0);
}

int ftruncate64(int fd, long size) {
    return (int)ep_system(EP_FTRUNCATE, fd, size, 0);
}

int stat64(const char *name, void *status) {
    return (int)ep_system(EP_STAT, (long)name, (long)status, 0);
}

int lstat64(const char *name, void *status) {
    return (int)ep_system(EP_LSTAT, (long)name, (long)status, 0);
}

int fstat64(int fd, void *status) {
    return (int)ep_system(EP_FSTAT, fd, (long)status, 0);
}
