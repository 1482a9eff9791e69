/* The names that glibc has for functions about directories and file systems where offsets
 * have 64 bits, as they do here anyway: the functions of the C library that do the same. */
#include "internal.h"

void *readdir(void *directory);
int alphasort(const void *a, const void *b);
int versionsort(const void *a, const void *b);
int scandir(const char *name, void ***entries, int (*select)(const void *),
            int (*compare)(const void *, const void *));
int statvfs(const char *name, void *status);
int fstatvfs(int fd, void *status);

void *readdir64(void *directory) {
    return readdir(directory);
}

int alphasort64(const void *a, const void *b) {
    return alphasort(a, b);
}

int versionsort64(const void *a, const void *b) {
    return versionsort(a, b);
}

int scandir64(const char *name, void ***entries, int (*select)(const void *),
              int (*compare)(const void *, const void *)) {
    return scandir(name, entries, select, compare);
}

int statvfs64(const char *name, void *status) {
    return statvfs(name, status);
}

int fstatvfs64(int fd, void *status) {
    return fstatvfs(fd, status);
}
