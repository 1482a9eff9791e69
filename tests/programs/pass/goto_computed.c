#include "everypath.h"

int main(void) {
    static const char program[] = {0, 1, 0, 0, 2};
    static void *const labels[] = {&&increment, &&twice, &&stop};
    const char *pc = program;
    int value = 0;
    goto *labels[(int)*pc++];
increment:
    value++;
    goto *labels[(int)*pc++];
twice:
    value *= 2;
    goto *labels[(int)*pc++];
stop:
    ep_assert(value == 4);
    return value;
}
