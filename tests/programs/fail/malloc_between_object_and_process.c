#include "everypath.h"
#include <stdbool.h>
#include <stdlib.h>

// A process may have room for it, so null would be a guess: the path ends, by name.
int main(void) {
    bool large;
    ep_symbolic(&large, sizeof large, "large");
    size_t size = large ? (size_t)5 << 30 : 5;
    return malloc(size) == NULL;
}
