#include "everypath.h"
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

int main(void) {
    struct node *list = NULL;
    for (int i = 0; i < 10; i++) {
        struct node *n = malloc(sizeof *n);
        n->value = i;
        n->next = list;
        list = n;
    }
    int sum = 0;
    while (list) {
        struct node *next = list->next;
        sum += list->value;
        free(list);
        list = next;
    }
    ep_assert(sum == 45);
    return 0;
}
