// run: --sym-files 2 1 --sym-env TMPDIR=1
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static int by_name(const struct dirent **a, const struct dirent **b) {
    return strcmp((*a)->d_name, (*b)->d_name);
}

/* The functions of a C library over the system's directories and files. */
int main(void) {
    struct dirent **names;
    struct stat status;
    mkdir("d", 0700);
    int count = scandir(".", &names, NULL, by_name);
    for (int i = 0; i < count; i++) {
        stat(names[i]->d_name, &status);
        printf("%s %c\n", names[i]->d_name, S_ISDIR(status.st_mode) ? 'd' : 'f');
        free(names[i]);
    }
    free(names);
    if (stat("A", &status) == 0)
        printf("A has %ld bytes\n", (long)status.st_size);
    rename("B", "d/B");
    printf("gone %d\n", access("B", F_OK) < 0 && errno == ENOENT);
    char name[] = "fileXXXXXX";
    int file = mkstemp(name);
    printf("made %d\n", file >= 0 && unlink(name) == 0);
    const char *variable = getenv("TMPDIR");
    printf("%s\n", !variable ? "none" : *variable == '/' ? "root" : "other");
    struct timespec first, second;
    clock_gettime(CLOCK_MONOTONIC, &first);
    clock_gettime(CLOCK_MONOTONIC, &second);
    printf("later %d\n", second.tv_sec > first.tv_sec || second.tv_nsec >= first.tv_nsec);
    printf("unlinked %d %d\n", unlink("d/B"), rmdir("d"));
    return 0;
}
