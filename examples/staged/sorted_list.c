/* A sorted list and what can be done with it.
 *
 *     everypath stage build examples/staged/sorted_list.c \
 *         --object SortedList --invariant listRepOk --max Link=8 -o list.stage
 *     everypath stage run examples/staged/sorted_list.c --method add --input list.stage
 *
 * -DMUTANT=1 to 6 puts a mistake into `add`. */
#include "lib/sorted_list.c"

void add(struct SortedList *list, int data) {
    struct Link **place = &list->first;
#if MUTANT == 1
    while (*place != NULL && (*place)->data > data)
#elif MUTANT == 5
    if (*place != NULL && (*place)->data < data)
#else
    while (*place != NULL && (*place)->data < data)
#endif
        place = &(*place)->next;
#if MUTANT == 3
    *place = newLink(data, NULL);
#elif MUTANT == 4
    *place = newLink(data, *place);
    (*place)->next = *place;
#elif MUTANT != 6
    *place = newLink(data, *place);
#endif
#if MUTANT != 2 && MUTANT != 6
    list->size++;
#endif
}

/* What has been added is there. A list left as it was (mutant 6) satisfies the
 * invariant, so that only this tells. */
bool addPost(const struct SortedList *list, int data) {
    bool found = false;
    for (const struct Link *link = list->first; link != NULL; link = link->next)
        found |= link->data == data;
    return found;
}

/* Removes the first link with the value; false when there is none. */
bool removeData(struct SortedList *list, int data) {
    struct Link **place = &list->first;
    while (*place != NULL && (*place)->data != data)
        place = &(*place)->next;
    struct Link *removed = *place;
    if (removed == NULL)
        return false;
    *place = removed->next;
    free(removed);
    list->size--;
    return true;
}

/* Moves all links of `other` to their places in `list`. */
void merge(struct SortedList *list, struct SortedList *other) {
    struct Link **place = &list->first;
    while (*place != NULL && other->first != NULL) {
        if (other->first->data < (*place)->data) {
            struct Link *moved = other->first;
            other->first = moved->next;
            moved->next = *place;
            *place = moved;
        }
        place = &(*place)->next;
    }
    if (*place == NULL)
        *place = other->first;
    list->size += other->size;
    other->first = NULL;
    other->size = 0;
}

bool isEqual(const struct SortedList *one, const struct SortedList *other) {
    const struct Link *left = one->first, *right = other->first;
    while (left != NULL && right != NULL) {
        if (left->data != right->data)
            return false;
        left = left->next;
        right = right->next;
    }
    return left == right;
}

/* Whether `common` holds what is in both lists, as often as it is in both. */
bool isIntersection(const struct SortedList *one, const struct SortedList *other,
                    const struct SortedList *common) {
    const struct Link *left = one->first, *right = other->first, *both = common->first;
    while (left != NULL && right != NULL) {
        if (left->data < right->data) {
            left = left->next;
        } else if (right->data < left->data) {
            right = right->next;
        } else {
            if (both == NULL || both->data != left->data)
                return false;
            left = left->next;
            right = right->next;
            both = both->next;
        }
    }
    return both == NULL;
}

static struct Link *collect(const struct SortedList *list, struct Link *rest) {
    for (const struct Link *link = list->first; link != NULL; link = link->next)
        rest = newLink(link->data, rest);
    return rest;
}

/* The values of both lists in a chain of new links, in no order. */
struct Link *unite(const struct SortedList *one, const struct SortedList *two) {
    return collect(one, collect(two, NULL));
}

struct Link *unite3(const struct SortedList *one, const struct SortedList *two,
                    const struct SortedList *three) {
    return collect(one, unite(two, three));
}

struct Link *unite4(const struct SortedList *one, const struct SortedList *two,
                    const struct SortedList *three, const struct SortedList *four) {
    return collect(one, unite3(two, three, four));
}
