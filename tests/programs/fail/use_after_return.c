#include "everypath.h"

static int *leak_local(void) {
    int local = 3;
    int *volatile p = &local;
    return p;
}

int main(void) {
    int *p = leak_local();
    return *p; // error: use-after-return
}
