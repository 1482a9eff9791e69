// run: --sym-files 1 3 --sym-args 0 1 2 -- A
#include "calls.h"

/* Lines, words and bytes of a file; with -l only lines. */
int main(int argc, char **argv) {
    int lines = 0, words = 0, bytes = 0, in_word = 0, only_lines = 0;
    const char *name = NULL;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "-l") == 0)
            only_lines = 1;
        else
            name = argv[i];
    }
    int file = name ? opened(name, O_RDONLY) : 0;
    if (file < 0)
        return 1;
    char byte;
    while (CALL(read, file, &byte, 1) == 1) {
        bytes++;
        lines += byte == '\n';
        int is_space = byte == ' ' || byte == '\n';
        words += !is_space && !in_word;
        in_word = !is_space;
    }
    if (only_lines)
        printf("%d\n", lines);
    else
        printf("%d %d %d\n", lines, words, bytes);
    return 0;
}
