#include <stdarg.h>
#include "everypath.h"

static long total(int count, ...) {
    va_list list;
    va_start(list, count);
    long sum = 0;
    for (int i = 0; i < count; i++)
        sum += i % 2 ? va_arg(list, long) : va_arg(list, int);
    va_end(list);
    return sum;
}

int main(void) {
    short x;
    ep_symbolic(&x, sizeof x, "x");
    ep_assert(total(0) == 0);
    ep_assert(total(8, 1, 2L, 3, 4L, 5, 6L, x, 8L) == 29 + x);
    return 0;
}
