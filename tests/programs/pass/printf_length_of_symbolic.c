/* How many bytes were printed is right for every value, and printing decides none of them. */
#include <assert.h>
#include <stdio.h>
#include <string.h>
#include "everypath.h"

static int length_of_unsigned(unsigned value) {
    int length = 1;
    for (; value > 9; value /= 10)
        length++;
    return length;
}

int main(void) {
    unsigned char byte;
    ep_symbolic(&byte, sizeof byte, "byte");
    char text[4];
    ep_symbolic(text, sizeof text - 1, "text");
    text[3] = 0;

    int stored;
    int decimal = printf("%u%n\n", byte, &stored);
    int signed_decimal = printf("%+.2d\n", byte - 128);
    int hexadecimal = printf("%#6x|%-4o\n", byte, byte);
    int string = printf("%s|%2.1s\n", text, text);
    int line = puts(text);
    /* Tests for failure need no count. */
    if (printf("%u %f\n", byte, byte / 2.0) < 0 || fprintf(stderr, "%*d\n", byte & 3, byte) == -1)
        return 1;

    /* Only from here on are there paths. */
    assert(decimal == length_of_unsigned(byte) + 1 && stored == decimal - 1);
    int distance = byte < 128 ? 128 - byte : byte - 128;
    assert(signed_decimal == 2 + (distance > 99 ? 3 : 2));
    assert(hexadecimal == 6 + 1 + 4 + 1);
    assert(string == (int)strlen(text) + 1 + 2 + 1 && line == (int)strlen(text) + 1);
    return 0;
}
