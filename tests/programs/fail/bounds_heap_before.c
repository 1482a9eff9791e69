/* The object before was freed; the error is still one of bounds. */
#include <stdlib.h>

int main(void) {
    free(malloc(64));
    int *p = malloc(64);
    return p[-1]; // error: out-of-bounds-read
}
