/* The first byte is inside, the last is not. */
#include <string.h>

int main(void) {
    char a[5] = {0};
    int v;
    memcpy(&v, a + 2, sizeof v); // error: out-of-bounds-read
    return v;
}
