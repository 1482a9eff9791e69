/* A queue: cells from the oldest, the head, to the newest, the tail, behind which
 * there is none. An empty queue has neither. */
#include "visited.h"

#include <stdlib.h>

#ifndef MUTANT
#define MUTANT 0
#endif

struct Cell {
    int data;
    struct Cell *behind;
};

struct Queue {
    struct Cell *head;
    struct Cell *tail;
    int length;
};

bool repOk(const struct Queue *queue) {
    struct Visited visited;
    visited.count = 0;
    const struct Cell *last = NULL;
    for (const struct Cell *cell = queue->head; cell != NULL; cell = cell->behind) {
        if (!visit(&visited, cell))
            return false;
        last = cell;
    }
    return queue->tail == last && queue->length == visited.count;
}

/* False when there is no memory. */
bool enqueue(struct Queue *queue, int data) {
    struct Cell *cell = malloc(sizeof *cell);
    if (cell == NULL)
        return false;
    cell->data = data;
    cell->behind = NULL;
    if (queue->tail == NULL)
        queue->head = cell;
    else
        queue->tail->behind = cell;
#if MUTANT != 1
    queue->tail = cell;
#endif
    queue->length++;
    return true;
}

/* Takes the oldest cell out; false when the queue is empty. */
bool dequeue(struct Queue *queue) {
    struct Cell *head = queue->head;
    if (head == NULL)
        return false;
    queue->head = head->behind;
#if MUTANT != 2
    if (queue->head == NULL)
        queue->tail = NULL;
#endif
    free(head);
    queue->length--;
    return true;
}
