// What stdio_ext.h says of streams, wide streams, reallocarray and large files.
#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <wchar.h>
static void tell(const char *name, FILE *stream) {
    printf("%s: %d%d%d%d\n", name, __freadable(stream) != 0, __fwritable(stream) != 0,
           __freading(stream) != 0, __fwriting(stream) != 0);
}
int main(void) {
    tell("stdin", stdin);
    tell("stdout", stdout);
    FILE *file = fopen("made", "w+");
    tell("new", file);
    fputws(L"ab\ncd", file);
    tell("written", file);
    rewind(file);
    printf("%lc", fgetwc(file));
    tell(" read", file);
    ungetwc(L'x', file);
    wchar_t line[8];
    printf("%ls", fgetws(line, 8, file));
    printf("%ls\n", fgetws(line, 8, file));
    printf("%d %d\n", fgetwc(file) == WEOF, feof(file) != 0);
    fclose(file);
    errno = 0;
    printf("%d %d\n", reallocarray(NULL, (size_t)-1, 2) == NULL, errno == ENOMEM);
    free(reallocarray(NULL, 3, 4));
    struct stat status;
    printf("%d %ld\n", fstatat(AT_FDCWD, "made", &status, 0), (long)status.st_size);
    int fd = openat(AT_FDCWD, "made", O_RDONLY);
    printf("%d %d\n", fcntl(fd, F_GETFL) & O_ACCMODE, posix_fadvise(fd, 0, 0, POSIX_FADV_NORMAL));
    close(fd);
    DIR *directory = opendir(".");
    int entries = 0;
    for (struct dirent *entry; (entry = readdir(directory));)
        entries += entry->d_name[0] != '.';
    closedir(directory);
    printf("%d\n", entries);
    return remove("made");
}
