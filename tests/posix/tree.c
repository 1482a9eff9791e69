#include <dirent.h>
#include <sys/stat.h>
#include "calls.h"

struct entry {
    unsigned long node;
    long next;
    unsigned short size;
    unsigned char type;
    char name[];
};

/* Names, directories and files below a directory, and the letters of their names. */
static void walk(const char *path, int counts[3]) {
    char buffer[1024] __attribute__((aligned(8)));
    int directory = opened(path, O_RDONLY | O_DIRECTORY);
    long size;
    while ((size = CALL(getdents64, directory, buffer, sizeof buffer)) > 0) {
        for (long at = 0; at < size;) {
            struct entry *entry = (struct entry *)(buffer + at);
            at += entry->size;
            if (strcmp(entry->name, ".") == 0 || strcmp(entry->name, "..") == 0)
                continue;
            char below[64];
            sprintf(below, "%s/%s", path, entry->name);
            struct stat status;
            CALL(lstat, below, &status);
            counts[2] += entry->name[0];
            if (S_ISDIR(status.st_mode)) {
                counts[0]++;
                walk(below, counts);
            } else {
                counts[1] += (int)status.st_nlink;
            }
        }
    }
    CALL(close, directory);
}

static void show(const char *when) {
    int counts[3] = {0};
    walk(".", counts);
    printf("%s: %d directories, %d names of files, %d\n", when, counts[0], counts[1], counts[2]);
}

int main(void) {
    CALL(mkdir, "a", 0755);
    CALL(mkdir, "a/b", 0755);
    int file = opened("a/b/file", O_CREAT | O_RDWR);
    wrote(file, "text");
    show("made");
    CALL(link, "a/b/file", "other");
    CALL(symlink, "a/b/file", "link");
    show("linked");
    char target[16] = {0};
    printf("target %ld %s\n", CALL(readlink, "link", target, 15), target);
    CALL(rename, "a/b", "c");
    show("moved");
    printf("dangling %d\n", opened("link", O_RDONLY));
    CALL(rename, "other", "c/file");
    show("replaced by itself");
    CALL(unlink, "c/file");
    CALL(unlink, "other");
    struct stat status;
    CALL(fstat, file, &status);
    printf("without a name: %ld bytes, %ld names\n", (long)status.st_size, (long)status.st_nlink);
    printf("still there: %ld\n", CALL(pread64, file, target, 4, 0));
    CALL(rmdir, "c");
    CALL(chdir, "a");
    printf("up %ld\n", CALL(access, "../link", 0));
    printf("up %ld\n", CALL(faccessat, AT_FDCWD, "../a", 0));
    CALL(chdir, "..");
    CALL(unlink, "link");
    CALL(rmdir, "a");
    show("empty");
    return 0;
}
