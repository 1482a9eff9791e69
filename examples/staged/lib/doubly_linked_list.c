/* A doubly linked list: each link knows the one before it, the list knows both
 * ends and the number of links. */
#include "visited.h"

#include <stdlib.h>

#ifndef MUTANT
#define MUTANT 0
#endif

struct Link {
    int data;
    struct Link *next;
    struct Link *previous;
};

struct DoublyLinkedList {
    struct Link *first;
    struct Link *last;
    int size;
};

bool repOk(const struct DoublyLinkedList *list) {
    struct Visited visited;
    visited.count = 0;
    const struct Link *previous = NULL;
    for (const struct Link *link = list->first; link != NULL; link = link->next) {
        if (!visit(&visited, link) || link->previous != previous)
            return false;
        previous = link;
    }
    return list->last == previous && list->size == visited.count;
}

/* False when there is no memory. */
bool addLast(struct DoublyLinkedList *list, int data) {
    struct Link *link = malloc(sizeof *link);
    if (link == NULL)
        return false;
    link->data = data;
    link->next = NULL;
#if MUTANT == 1
    link->previous = list->first;
#else
    link->previous = list->last;
#endif
    if (list->last == NULL)
        list->first = link;
    else
        list->last->next = link;
    list->last = link;
    list->size++;
    return true;
}

/* Removes the first link with the value; false when there is none. */
bool removeData(struct DoublyLinkedList *list, int data) {
    struct Link *removed = list->first;
    while (removed != NULL && removed->data != data)
        removed = removed->next;
    if (removed == NULL)
        return false;
    if (removed->previous == NULL)
        list->first = removed->next;
    else
        removed->previous->next = removed->next;
    if (removed->next == NULL)
        list->last = removed->previous;
    else
#if MUTANT == 2
        removed->next->previous = NULL;
#else
        removed->next->previous = removed->previous;
#endif
    free(removed);
    list->size--;
    return true;
}
