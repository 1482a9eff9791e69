#include "../../examples/staged/lib/singly_linked_list.c"
#include "check.h"

int main(void) {
    struct List list = {NULL, 0};
    CHECK(repOk(&list));
    int expected = 0;
    for (int i = 0; i < 200; i++) {
        CHECK(addFirst(&list, arbitrary(50)) && list.size == ++expected && repOk(&list));
        expected -= i % 3 == 0 && removeData(&list, arbitrary(50));
        CHECK(list.size == expected && repOk(&list));
    }
    while (list.first != NULL)
        CHECK(removeData(&list, list.first->data) && repOk(&list));
    CHECK(list.size == 0 && !removeData(&list, 1));

    struct Link second = {2, NULL}, first = {1, &second};
    CHECK(repOk(&(struct List){&first, 2}));
    CHECK(!repOk(&(struct List){&first, 1}));
    CHECK(!repOk(&(struct List){NULL, 1}));
    second.next = &first;
    CHECK(!repOk(&(struct List){&first, 2}));
    second.next = &second;
    CHECK(!repOk(&(struct List){&first, 2}));
}
