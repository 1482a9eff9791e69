#include "../../examples/staged/lib/doubly_linked_list.c"
#include "check.h"

int main(void) {
    struct DoublyLinkedList list = {NULL, NULL, 0};
    CHECK(repOk(&list));
    int expected = 0;
    for (int i = 0; i < 200; i++) {
        CHECK(addLast(&list, arbitrary(50)) && list.size == ++expected && repOk(&list));
        expected -= i % 3 == 0 && removeData(&list, arbitrary(50));
        CHECK(list.size == expected && repOk(&list));
    }
    while (list.first != NULL)
        CHECK(removeData(&list, list.last->data) && repOk(&list));
    CHECK(list.size == 0 && !removeData(&list, 1));

    struct Link second = {2, NULL, NULL}, first = {1, &second, NULL};
    second.previous = &first;
    CHECK(repOk(&(struct DoublyLinkedList){&first, &second, 2}));
    CHECK(!repOk(&(struct DoublyLinkedList){&first, &first, 2}));
    CHECK(!repOk(&(struct DoublyLinkedList){&first, NULL, 2}));
    CHECK(!repOk(&(struct DoublyLinkedList){NULL, &first, 0}));
    CHECK(!repOk(&(struct DoublyLinkedList){&first, &second, 3}));
    first.previous = &second;
    CHECK(!repOk(&(struct DoublyLinkedList){&first, &second, 2}));
    second.next = &first;
    CHECK(!repOk(&(struct DoublyLinkedList){&first, &second, 2}));
}
