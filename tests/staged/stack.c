#include "../../examples/staged/lib/stack.c"
#include "check.h"

int main(void) {
    struct Stack stack = {NULL, 0};
    CHECK(repOk(&stack) && !pop(&stack));
    int expected = 0;
    for (int i = 0; i < 200; i++) {
        CHECK(push(&stack, i) && stack.depth == ++expected && stack.top->data == i);
        CHECK(repOk(&stack));
        expected -= arbitrary(3) == 0 && pop(&stack);
        CHECK(stack.depth == expected && repOk(&stack));
    }
    while (stack.top != NULL)
        CHECK(pop(&stack) && repOk(&stack));

    struct Frame bottom = {1, NULL}, top = {2, &bottom};
    CHECK(repOk(&(struct Stack){&top, 2}));
    CHECK(!repOk(&(struct Stack){&top, 0}));
    bottom.below = &top;
    CHECK(!repOk(&(struct Stack){&top, 2}));
}
