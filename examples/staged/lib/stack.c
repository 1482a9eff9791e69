/* A stack of frames, the newest on top, and how many there are. */
#include "visited.h"

#include <stdlib.h>

#ifndef MUTANT
#define MUTANT 0
#endif

struct Frame {
    int data;
    struct Frame *below;
};

struct Stack {
    struct Frame *top;
    int depth;
};

bool repOk(const struct Stack *stack) {
    struct Visited visited;
    visited.count = 0;
    for (const struct Frame *frame = stack->top; frame != NULL; frame = frame->below)
        if (!visit(&visited, frame))
            return false;
    return stack->depth == visited.count;
}

/* False when there is no memory. */
bool push(struct Stack *stack, int data) {
    struct Frame *frame = malloc(sizeof *frame);
    if (frame == NULL)
        return false;
    frame->data = data;
    frame->below = stack->top;
    stack->top = frame;
#if MUTANT != 1
    stack->depth++;
#endif
    return true;
}

/* Takes the top frame off; false when the stack is empty. */
bool pop(struct Stack *stack) {
    struct Frame *top = stack->top;
    if (top == NULL)
        return false;
#if MUTANT == 2
    free(top);
    stack->top = top->below;
#else
    stack->top = top->below;
    free(top);
#endif
    stack->depth--;
    return true;
}
