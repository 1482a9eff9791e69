/* An exception is thrown on one path only, and passes three frames whose destructors run. */
#include <everypath.h>

static int destroyed;
struct Guard {
    ~Guard() { destroyed++; }
};

static int inner(int x) {
    Guard guard;
    if (x == 42)
        throw x + 1;
    return x;
}
static int middle(int x) {
    Guard guard;
    return inner(x);
}
static int outer(int x) {
    Guard guard;
    return middle(x);
}

int main() {
    int x;
    ep_symbolic(&x, sizeof x, "x");
    try {
        outer(x);
        ep_assert(destroyed == 3 && x != 42);
        return 0;
    } catch (int caught) {
        ep_assert(destroyed == 3 && caught == 43);
        return 1;
    }
}
