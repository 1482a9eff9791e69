#include <stdarg.h>
#include "everypath.h"

struct small {
    int a, b;
};
struct large {
    long values[5];
};

static long mixed(int first, ...) {
    va_list list;
    va_start(list, first);
    struct small s = va_arg(list, struct small);
    struct large l = va_arg(list, struct large);
    long last = va_arg(list, long);
    va_end(list);
    return first + s.a + s.b + l.values[0] + l.values[4] + last;
}

int main(void) {
    struct small s = {1, 2};
    struct large l = {{10, 0, 0, 0, 20}};
    ep_symbolic(&l.values[4], sizeof(char), "v");
    ep_assert(mixed(100, s, l, 1000L) == 1113 + l.values[4]);
    return 0;
}
