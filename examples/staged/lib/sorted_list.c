/* A sorted list: links in ascending order, equal values allowed, and their
 * number. The methods are in ../sorted_list.c. The invariant's name is its own,
 * not `repOk`, so that a program can hold a list and another structure. */
#include "visited.h"

#include <stdlib.h>

struct Link {
    int data;
    struct Link *next;
};

struct SortedList {
    struct Link *first;
    int size;
};

/* The shape decides which way this goes; what the values have to be is gathered
 * without a branch, so that all lists of one length are a single path. */
bool listRepOk(const struct SortedList *list) {
    struct Visited visited;
    visited.count = 0;
    bool ascending = true;
    const struct Link *previous = NULL;
    for (const struct Link *link = list->first; link != NULL; link = link->next) {
        if (!visit(&visited, link))
            return false;
        if (previous != NULL)
            ascending &= previous->data <= link->data;
        previous = link;
    }
    return (list->size == visited.count) & ascending;
}

/* Running out of memory ends the program. */
struct Link *newLink(int data, struct Link *next) {
    struct Link *link = malloc(sizeof *link);
    if (link == NULL)
        abort();
    link->data = data;
    link->next = next;
    return link;
}
