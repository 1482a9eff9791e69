#include "everypath.h"

static void redirect(int **where, int *to) { *where = to; }

int main(void) {
    int a = 1, b = 2, *p = &a;
    bool swap;
    ep_symbolic(&swap, sizeof swap, "swap");
    redirect(&p, &a);
    if (swap)
        redirect(&p, &b);
    *p = 5;
    return a + b;
}
