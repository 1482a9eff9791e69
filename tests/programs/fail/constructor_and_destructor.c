#include "everypath.h"

static int stage;

__attribute__((constructor(200))) static void later(void) { ep_assert(stage++ == 1); }
__attribute__((constructor(150))) static void earlier(void) { ep_assert(stage++ == 0); }
__attribute__((destructor)) static void last(void) {
    ep_assert(stage == 3); // error: assert
}

int main(void) {
    ep_assert(stage == 2);
    if (ep_choose(2))
        stage++;
    return 0;
}
