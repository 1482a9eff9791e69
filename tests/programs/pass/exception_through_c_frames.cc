/* qsort is C and knows nothing of exceptions; one passes through it. longjmp passes a
 * handler that it has nothing to do with. */
#include <csetjmp>
#include <cstdlib>
#include <everypath.h>

static int compare(const void *a, const void *b) {
    int left = *static_cast<const int *>(a), right = *static_cast<const int *>(b);
    if (left == right)
        throw "equal";
    return left < right ? -1 : 1;
}

static std::jmp_buf place;
static void jump() {
    try {
        std::longjmp(place, 3);
    } catch (...) {
        ep_assert(false);
    }
}

int main() {
    int values[2] = {7, 0};
    ep_symbolic(&values[1], sizeof values[1], "value");
    try {
        std::qsort(values, 2, sizeof *values, compare);
        ep_assert(values[0] < values[1]);
    } catch (const char *) {
        ep_assert(values[1] == 7);
        return 1;
    }
    int came = setjmp(place);
    if (!came)
        jump();
    ep_assert(came == 3);
    return 0;
}
