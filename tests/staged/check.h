/* What the checks of examples/staged share: each includes a structure's source,
 * runs it natively, and prints what it counted. */
#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>
#include <stdlib.h>

#define CHECK(condition)                                                       \
    do {                                                                       \
        if (!(condition)) {                                                    \
            printf("%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);     \
            exit(1);                                                           \
        }                                                                      \
    } while (0)

/* The same numbers from 0 to `below` - 1 in every run. */
static inline int arbitrary(int below) {
    static unsigned state = 2463534242u;
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return (int)(state % (unsigned)below);
}

#endif
