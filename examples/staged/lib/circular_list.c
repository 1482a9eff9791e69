/* A circular list: the links form one ring that comes back to the link the list
 * points to; an empty list points nowhere. */
#include "visited.h"

#include <stdlib.h>

#ifndef MUTANT
#define MUTANT 0
#endif

struct Link {
    int data;
    struct Link *next;
};

struct CircularList {
    struct Link *entry;
    int size;
};

bool repOk(const struct CircularList *list) {
    struct Visited visited;
    visited.count = 0;
    const struct Link *link = list->entry;
    while (link != NULL && visit(&visited, link))
        link = link->next;
    return link == list->entry && list->size == visited.count;
}

/* Puts the value behind the entry; false when there is no memory. */
bool add(struct CircularList *list, int data) {
    struct Link *link = malloc(sizeof *link);
    if (link == NULL)
        return false;
    link->data = data;
    if (list->entry == NULL) {
        link->next = link;
        list->entry = link;
    } else {
#if MUTANT == 1
        link->next = list->entry;
#else
        link->next = list->entry->next;
#endif
        list->entry->next = link;
    }
    list->size++;
    return true;
}

/* Removes the link behind the entry; false when the list is empty. */
bool removeNext(struct CircularList *list) {
    if (list->entry == NULL)
        return false;
    struct Link *removed = list->entry->next;
    if (removed == list->entry)
        list->entry = NULL;
    else
#if MUTANT == 2
        list->entry = removed->next;
#else
        list->entry->next = removed->next;
#endif
    free(removed);
    list->size--;
    return true;
}
