/* A list with a head of one pointer, as the buckets of Linux's hash tables are: every node
 * knows the pointer that leads to it. */
#include <stdbool.h>
#include <stddef.h>

#ifndef MUTANT
#define MUTANT 0
#endif

struct Node {
    struct Node *next, **pprev;
    int key;
};

struct Head {
    struct Node *first;
};

bool repOk(const struct Head *head) {
    struct Node *const *at = &head->first;
    for (int count = 0; *at != NULL; at = &(*at)->next)
        if ((*at)->pprev != at || ++count > 8)
            return false;
    return true;
}

/* Takes the nodes of a key out of the list, and tells how many. */
int removeKey(struct Head *head, int key) {
    int removed = 0;
    struct Node *next;
    for (struct Node *at = head->first; at != NULL; at = next) {
        next = at->next;
        if (at->key != key)
            continue;
        *at->pprev = next;
#if MUTANT == 1
        if (next != NULL)
            next->pprev = &head->first;
#else
        if (next != NULL)
            next->pprev = at->pprev;
#endif
        removed++;
    }
    return removed;
}

/* Exchanges the first two nodes. */
void swapFirst(struct Head *head) {
    struct Node *one = head->first;
    if (one == NULL || one->next == NULL)
        return;
    struct Node *two = one->next;
    one->next = two->next;
#if MUTANT != 2
    if (one->next != NULL)
        one->next->pprev = &one->next;
#endif
    two->next = one;
    one->pprev = &two->next;
    two->pprev = &head->first;
    head->first = two;
}
