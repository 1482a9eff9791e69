/* A ring of a fixed size: so many bytes from the first on, round its end. */
#include <stdbool.h>

#ifndef MUTANT
#define MUTANT 0
#endif

struct Ring {
    unsigned char *bytes;
    unsigned capacity, first, count;
};

bool repOk(const struct Ring *ring) {
    return ring->capacity > 0 && ring->bytes != 0 && ring->first < ring->capacity
        && ring->count <= ring->capacity;
}

bool put(struct Ring *ring, unsigned char byte) {
#if MUTANT == 1
    if (ring->count > ring->capacity)
#else
    if (ring->count == ring->capacity)
#endif
        return false;
    ring->bytes[(ring->first + ring->count) % ring->capacity] = byte;
    ring->count++;
    return true;
}

bool take(struct Ring *ring, unsigned char *byte) {
    if (ring->count == 0)
        return false;
    *byte = ring->bytes[ring->first];
    ring->first++;
#if MUTANT != 2
    ring->first %= ring->capacity;
#endif
    ring->count--;
    return true;
}
