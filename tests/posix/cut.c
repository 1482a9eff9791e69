// run: --sym-files 1 3 --sym-env SEPARATOR=1 -- A
#include "calls.h"

extern char **environ;

/* The first field of a file; what separates fields is in the environment. */
int main(int argc, char **argv, char **envp) {
    char separator = ':', bytes[4];
    for (char **variable = envp; *variable; variable++)
        if (strncmp(*variable, "SEPARATOR=", 10) == 0 && (*variable)[10])
            separator = (*variable)[10];
    if (environ != envp)
        return 3;
    int file = opened(argv[1], O_RDONLY);
    long count = CALL(read, file, bytes, sizeof bytes);
    for (int i = 0; i < count && bytes[i] != separator; i++)
        CALL(write, 1, &bytes[i], 1);
    return 0;
}
