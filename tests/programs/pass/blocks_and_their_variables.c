// run: --check scope
/* Whatever way a block is left and entered again, its variables are there inside. */
#include <everypath.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

struct pair {
    int first, second;
};

static jmp_buf place;
static int *kept;

static int look(const int *at) { return *at; }
static struct pair both(int a, int b) { return (struct pair){a, b}; }
static int second_of(const struct pair *pair) { return pair->second; }
static int below(int depth) {
    int own = depth, *at = &own;
    return depth == 0 ? look(at) : below(depth - 1) + look(at);
}

static int jumps(int times) {
    int sum = 0;
again: {
    int own = times;
    sum += look(&own);
    if (--times > 0) goto again;
}
    return sum;
}

static int enters(int n) {
    int *at = NULL;
    switch (n) {
        int before;
    case 0:
        before = 3;
        at = &before;
        /* fall through */
    default:
        return at ? look(at) : 0;
    }
}

static int leaves(int n) {
    for (int i = 0; i < 4; i++) {
        int own[2] = {i, n};
        if (i == 1) continue;
        if (look(&own[0]) == 2) break;
        while (n < 0) {
            struct pair here = both(n, i);
            if (second_of(&here) == i) return second_of(&here);
        }
    }
    return 7;
}

static int comes_back(void) {
    volatile int own = 5;
    {
        int inner = 1;
        kept = (int *)&own;
        if (setjmp(place) == 2) return look(kept);
        if (look(&inner) == 1) longjmp(place, 2);
    }
    return 0;
}

int main(void) {
    int n;
    ep_symbolic(&n, sizeof n, "n");
    ep_assume(n >= -1 && n <= 2);
    if (below(3) != 6) abort();
    if (jumps(3) != 6) abort();
    if (enters(n & 1) != (n & 1 ? 0 : 3)) abort();
    if (leaves(n) != (n < 0 ? 0 : 7)) abort();
    if (comes_back() != 5) abort();
    int *at = n ? &(int){4} : &n;
    struct pair local = {1, 2}, *pointer = ({ struct pair inner = local; local = inner; &local; });
    int length = n + 2;
    {
        char text[length];
        memset(text, 'x', length);
        if (text[n + 1] != 'x') abort();
    }
    return look(at) + second_of(pointer) == (n ? 6 : 2) ? 0 : 1;
}
