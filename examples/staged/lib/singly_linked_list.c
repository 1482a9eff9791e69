/* A singly linked list: a chain of links that ends, and their number. Nothing is
 * asked of the values. */
#include "visited.h"

#include <stdlib.h>

#ifndef MUTANT
#define MUTANT 0
#endif

struct Link {
    int data;
    struct Link *next;
};

struct List {
    struct Link *first;
    int size;
};

bool repOk(const struct List *list) {
    struct Visited visited;
    visited.count = 0;
    for (const struct Link *link = list->first; link != NULL; link = link->next)
        if (!visit(&visited, link))
            return false;
    return list->size == visited.count;
}

/* False when there is no memory. */
bool addFirst(struct List *list, int data) {
    struct Link *link = malloc(sizeof *link);
    if (link == NULL)
        return false;
    link->data = data;
    link->next = list->first;
    list->first = link;
#if MUTANT != 1
    list->size++;
#endif
    return true;
}

/* Removes the first link with the value; false when there is none. */
bool removeData(struct List *list, int data) {
    struct Link **place = &list->first;
    while (*place != NULL && (*place)->data != data)
        place = &(*place)->next;
    struct Link *removed = *place;
    if (removed == NULL)
        return false;
#if MUTANT == 2
    *place = NULL;
#else
    *place = removed->next;
#endif
    free(removed);
    list->size--;
    return true;
}
