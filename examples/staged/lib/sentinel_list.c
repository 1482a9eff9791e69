/* A ring through a node that is never taken out and stands for both ends. */
#include <stdbool.h>
#include <stddef.h>

#ifndef MUTANT
#define MUTANT 0
#endif

struct Node {
    struct Node *next, *prev;
    int value;
};

struct Ring {
    struct Node ends;
    unsigned length;
};

bool repOk(const struct Ring *ring) {
    unsigned length = 0;
    const struct Node *at = &ring->ends;
    do {
        if (at->next == NULL || at->next->prev != at || length > 8)
            return false;
        at = at->next;
        length++;
    } while (at != &ring->ends);
    return length == ring->length + 1;
}

/* Takes the last node out; null if there is none. */
struct Node *takeLast(struct Ring *ring) {
    struct Node *last = ring->ends.prev;
#if MUTANT != 1
    if (last == &ring->ends)
        return NULL;
#endif
    last->prev->next = last->next;
    last->next->prev = last->prev;
    ring->length--;
    return last;
}

/* Turns the ring round. */
void reverse(struct Ring *ring) {
    struct Node *at = &ring->ends;
    do {
        struct Node *next = at->next;
        at->next = at->prev;
#if MUTANT != 2
        at->prev = next;
#endif
        at = next;
    } while (at != &ring->ends);
}
