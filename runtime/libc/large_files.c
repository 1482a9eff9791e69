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
    EP_SENDFILE = 40,
    EP_TRUNCATE = 76,
    EP_FTRUNCATE = 77,
    EP_CREAT = 85,
    EP_GETRLIMIT = 97,
    EP_STATFS = 137,
    EP_FSTATFS = 138,
    EP_SETRLIMIT = 160,
    EP_FADVISE = 221,
    EP_OPENAT = 257,
    EP_FSTATAT = 262,
    EP_FALLOCATE = 285
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

int fstatat64(int directory, const char *name, void *status, int flags) {
    return (int)ep_result(
        __ep_syscall(EP_FSTATAT, directory, (long)name, (long)status, flags, 0, 0));
}

int openat64(int directory, const char *name, int flags, int mode) {
    return (int)ep_result(__ep_syscall(EP_OPENAT, directory, (long)name, flags, mode, 0, 0));
}

int creat64(const char *name, int mode) {
    return (int)ep_system(EP_CREAT, (long)name, mode, 0);
}

int fcntl64(int fd, int command, long argument) {
    return (int)ep_system(EP_FCNTL, fd, command, argument);
}

int statfs64(const char *name, void *status) {
    return (int)ep_system(EP_STATFS, (long)name, (long)status, 0);
}

int fstatfs64(int fd, void *status) {
    return (int)ep_system(EP_FSTATFS, fd, (long)status, 0);
}

int getrlimit64(int resource, void *limit) {
    return (int)ep_system(EP_GETRLIMIT, resource, (long)limit, 0);
}

int setrlimit64(int resource, const void *limit) {
    return (int)ep_system(EP_SETRLIMIT, resource, (long)limit, 0);
}

long sendfile64(int to, int from, long *offset, size_t count) {
    return ep_result(__ep_syscall(EP_SENDFILE, to, from, (long)offset, (long)count, 0, 0));
}

int fallocate64(int fd, int mode, long offset, long size) {
    return (int)ep_result(__ep_syscall(EP_FALLOCATE, fd, mode, offset, size, 0, 0));
}

/* These give the error number, and leave errno alone. */

int posix_fallocate64(int fd, long offset, long size) {
    return (int)-__ep_syscall(EP_FALLOCATE, fd, 0, offset, size, 0, 0);
}

int posix_fadvise64(int fd, long offset, long size, int advice) {
    return (int)-__ep_syscall(EP_FADVISE, fd, offset, size, advice, 0, 0);
}
