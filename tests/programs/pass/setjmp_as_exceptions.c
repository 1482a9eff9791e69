#include <setjmp.h>
#include "everypath.h"

static jmp_buf handler;

static int checked_half(int x) {
    if (x % 2 != 0)
        longjmp(handler, 1);
    return x / 2;
}

int main(void) {
    int x;
    ep_symbolic(&x, sizeof x, "x");
    if (setjmp(handler))
        return 1;
    int half = checked_half(x);
    ep_assert(2 * half == x);
    return 0;
}
