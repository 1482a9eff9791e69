#include <setjmp.h>
#include "everypath.h"

static jmp_buf stale;

static int save(void) { return setjmp(stale); }
static void jump(void) {
    longjmp(stale, 1); // error: bad-call
}

int main(void) {
    if (save() == 0)
        jump();
    return 0;
}
