#include "../../examples/staged/lib/circular_list.c"
#include "check.h"

int main(void) {
    struct CircularList list = {NULL, 0};
    CHECK(repOk(&list) && !removeNext(&list));
    int expected = 0;
    for (int i = 0; i < 200; i++) {
        CHECK(add(&list, arbitrary(50)) && list.size == ++expected && repOk(&list));
        expected -= arbitrary(3) == 0 && removeNext(&list);
        CHECK(list.size == expected && repOk(&list));
    }
    while (list.entry != NULL)
        CHECK(removeNext(&list) && repOk(&list));
    CHECK(list.size == 0);

    struct Link second = {2, NULL}, first = {1, &second};
    CHECK(!repOk(&(struct CircularList){&first, 2}));
    second.next = &second;
    CHECK(!repOk(&(struct CircularList){&first, 2}));
    second.next = &first;
    CHECK(repOk(&(struct CircularList){&first, 2}));
    CHECK(!repOk(&(struct CircularList){&first, 3}));
    CHECK(!repOk(&(struct CircularList){NULL, 2}));
}
