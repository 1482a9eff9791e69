/* A symbolic function pointer: one path for each function of a table, one error for null
 * and one for everything that is no function. */
#include "everypath.h"

static int one(void) { return 1; }
static int two(void) { return 2; }

int main(void) {
    int (*known[])(void) = {one, two};
    int (*any)(void);
    ep_symbolic(&any, sizeof any, "any");
    ep_assume(any == known[0] || any == known[1] || (unsigned long)any < 100);
    return any(); // error: null-dereference, bad-call
}
