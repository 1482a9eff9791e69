// run: --sym-stdin 2 --sym-arg 2
#include "calls.h"

/* Replaces the first character of the argument by the second. */
int main(int argc, char **argv) {
    if (argc != 2 || !argv[1][0] || !argv[1][1])
        return 2;
    int c;
    while ((c = getchar()) != EOF)
        putchar(c == (unsigned char)argv[1][0] ? (unsigned char)argv[1][1] : c);
    return 0;
}
