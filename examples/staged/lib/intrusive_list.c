/* A list whose links are inside of its items, as the lists of Linux are: a ring through
 * the list's own head, and the list knows the number of items. */
#include <stdbool.h>
#include <stddef.h>

#ifndef MUTANT
#define MUTANT 0
#endif

struct list_head {
    struct list_head *next, *prev;
};

struct Item {
    int value;
    struct list_head link;
};

struct Bag {
    int count;
    struct list_head items;
};

#define ITEM_OF(at) ((struct Item *)((char *)(at)-offsetof(struct Item, link)))

bool repOk(const struct Bag *bag) {
    int count = 0;
    const struct list_head *prev = &bag->items;
    for (const struct list_head *at = prev->next; at != &bag->items; at = at->next) {
        if (at == NULL || at->prev != prev || ++count > 8)
            return false;
        prev = at;
    }
    return (bag->items.prev == prev) & (bag->count == count);
}

/* Takes the first item out of the list; null if there is none. */
struct Item *takeFirst(struct Bag *bag) {
    struct list_head *first = bag->items.next;
    if (first == &bag->items)
        return NULL;
    bag->items.next = first->next;
#if MUTANT != 1
    first->next->prev = &bag->items;
#endif
    bag->count--;
    return ITEM_OF(first);
}

/* Moves the first item to the end. */
void rotate(struct Bag *bag) {
    struct list_head *head = &bag->items, *first = head->next;
    if (first == head)
        return;
    head->next = first->next;
    first->next->prev = head;
    first->prev = head->prev;
    first->next = head;
#if MUTANT != 2
    head->prev->next = first;
#endif
    head->prev = first;
}
