#include "everypath.h"

static int count;

static int next(void) {
    static int calls = 10;
    return ++calls + count;
}

int main(void) {
    bool twice;
    ep_symbolic(&twice, sizeof twice, "twice");
    next();
    if (twice)
        next();
    return next();
}
