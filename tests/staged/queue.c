#include "../../examples/staged/lib/queue.c"
#include "check.h"

int main(void) {
    struct Queue queue = {NULL, NULL, 0};
    CHECK(repOk(&queue) && !dequeue(&queue));
    int oldest = 0;
    for (int i = 0; i < 200; i++) {
        CHECK(enqueue(&queue, i) && queue.tail->data == i && repOk(&queue));
        CHECK(queue.head->data == oldest);
        oldest += arbitrary(3) == 0 && dequeue(&queue);
        CHECK(queue.length == i + 1 - oldest && repOk(&queue));
    }
    while (queue.head != NULL)
        CHECK(dequeue(&queue) && repOk(&queue));

    struct Cell tail = {2, NULL}, head = {1, &tail};
    CHECK(repOk(&(struct Queue){&head, &tail, 2}));
    CHECK(!repOk(&(struct Queue){&head, &head, 2}));
    CHECK(!repOk(&(struct Queue){&head, &tail, 1}));
    CHECK(!repOk(&(struct Queue){NULL, &tail, 0}));
    CHECK(!repOk(&(struct Queue){&head, NULL, 2}));
    tail.behind = &head;
    CHECK(!repOk(&(struct Queue){&head, &tail, 2}));
}
