// run: --sym-files 1 4 -- A
#include "calls.h"

/* Lines that are not the same as the line before. */
int main(int argc, char **argv) {
    char line[8], before[8] = "\n";
    int file = opened(argv[1], O_RDONLY);
    if (file < 0)
        return 1;
    for (;;) {
        int length = 0;
        char byte = 0;
        while (byte != '\n' && CALL(read, file, &byte, 1) == 1)
            line[length++] = byte;
        if (length == 0)
            return 0;
        line[length] = 0;
        if (strcmp(line, before) != 0)
            CALL(write, 1, line, length);
        strcpy(before, line);
    }
}
