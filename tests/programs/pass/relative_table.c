// run: -O2
/* An optimised switch over strings is a table of 32-bit distances. */
#include "everypath.h"
#include <assert.h>
#include <string.h>

__attribute__((noinline)) static const char *name(unsigned colour) {
    switch (colour) {
    case 0: return "red";
    case 1: return "orange";
    case 2: return "yellow";
    case 3: return "green";
    case 4: return "blue";
    case 5: return "violet";
    default: return "?";
    }
}

int main(void) {
    unsigned char colour;
    ep_symbolic(&colour, sizeof colour, "colour");
    const char *text = name(colour);
    if (colour == 3) assert(strcmp(text, "green") == 0);
    if (colour > 5) assert(strcmp(text, "?") == 0);
    return (int)strlen(text);
}
