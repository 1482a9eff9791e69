// run: --sym-files 1 1 --sym-arg 3
#include <sys/stat.h>
#include "calls.h"

/* Opens whatever the argument names: the file, a directory, nothing. */
int main(int argc, char **argv) {
    struct stat status;
    int file = opened(argv[1], O_RDONLY);
    if (file < 0) {
        printf("error %d\n", -file);
        return 1;
    }
    CALL(fstat, file, &status);
    printf("%s\n", S_ISDIR(status.st_mode) ? "directory" : "file");
    return 0;
}
