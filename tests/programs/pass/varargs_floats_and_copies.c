#include <stdarg.h>
#include "everypath.h"

static double sum_twice(int count, ...) {
    va_list list, again;
    va_start(list, count);
    va_copy(again, list);
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += va_arg(list, double);
    for (int i = 0; i < count; i++)
        sum += va_arg(again, double);
    va_end(again);
    va_end(list);
    return sum;
}

int main(void) {
    ep_assert(sum_twice(10, 1., 2., 3., 4., 5., 6., 7., 8., 9., 10.) == 110);
    return 0;
}
