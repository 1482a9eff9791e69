/* An exception that leaves a function which promises not to throw ends the program, and so
 * does one that leaves a destructor. */
#include <everypath.h>

static int half(int x) noexcept {
    if (x % 2)
        throw x;
    return x / 2;
}
struct Careless {
    int x;
    ~Careless() {
        if (x == 8)
            throw 8;
    }
};

int main() {
    int x;
    ep_symbolic(&x, sizeof x, "x");
    ep_assume(x >= 0);
    try {
        Careless object = {half(x)};
    } catch (int) {
        ep_assert(false);
    }
    return 0;
}
