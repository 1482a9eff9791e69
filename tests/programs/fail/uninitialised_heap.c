// run: --uninitialised
/* `calloc` clears, `malloc` and a growing `realloc` do not. */
#include <stdlib.h>

int main(void) {
    int *cleared = calloc(2, sizeof *cleared);
    if (cleared[1])
        return 1;
    int *block = malloc(sizeof *block);
    *block = 7;
    block = realloc(block, 2 * sizeof *block);
    if (block[0] != 7)
        return 2;
    return block[1];
}
