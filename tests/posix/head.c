// run: --sym-stdin 3 --sym-arg 1
#include "calls.h"

/* The first lines of standard input, as many as the argument says. */
int main(int argc, char **argv) {
    if (argc != 2 || argv[1][0] < '1' || argv[1][0] > '3')
        return 2;
    int left = argv[1][0] - '0', c;
    while (left > 0 && (c = getchar()) != EOF) {
        putchar(c);
        left -= c == '\n';
    }
    return 0;
}
