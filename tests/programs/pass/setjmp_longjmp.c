#include <setjmp.h>
#include "everypath.h"

static jmp_buf back;

static void deep(int n) {
    if (n == 0)
        longjmp(back, 7);
    deep(n - 1);
}

int main(void) {
    bool jump;
    ep_symbolic(&jump, sizeof jump, "jump");
    volatile int before = 1;
    int code = setjmp(back);
    if (code == 0) {
        before = 2;
        if (jump)
            deep(3);
        return 0;
    }
    ep_assert(code == 7 && before == 2);
    return 1;
}
