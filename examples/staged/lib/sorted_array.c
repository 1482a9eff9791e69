/* Numbers in ascending order in an array that has room for more. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#ifndef MUTANT
#define MUTANT 0
#endif

struct Array {
    int *data;
    unsigned size, capacity;
};

bool repOk(const struct Array *array) {
    if (array->size > array->capacity)
        return false;
    bool sorted = true;
    for (unsigned i = 1; i < array->size; i++)
        sorted &= array->data[i - 1] <= array->data[i];
    return sorted;
}

bool insert(struct Array *array, int value) {
#if MUTANT == 1
    if (array->size > array->capacity) {
#else
    if (array->size == array->capacity) {
#endif
        unsigned capacity = 2 * array->capacity + 1;
        int *data = realloc(array->data, capacity * sizeof *data);
        if (data == NULL)
            return false;
        array->data = data;
        array->capacity = capacity;
    }
    unsigned at = array->size++;
    for (; at > 0 && array->data[at - 1] > value; at--)
        array->data[at] = array->data[at - 1];
    array->data[at] = value;
    return true;
}

/* Removes one value; false if it is not there. */
bool removeValue(struct Array *array, int value) {
    for (unsigned i = 0; i < array->size; i++)
        if (array->data[i] == value) {
#if MUTANT == 2
            array->data[i] = array->data[array->size - 1];
#else
            memmove(&array->data[i], &array->data[i + 1], (array->size - i - 1) * sizeof(int));
#endif
            array->size--;
            return true;
        }
    return false;
}
