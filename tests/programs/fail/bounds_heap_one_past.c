#include <stdlib.h>

int main(void) {
    char *p = malloc(3);
    for (int i = 0; i <= 3; i++)
        p[i] = 1; // error: out-of-bounds-write
    return 0;
}
