/* Nobody catches it: an error with the exception's type and what it says, at the throw. */
#include <everypath.h>
#include <stdexcept>

static void check(int x) {
    if (x > 1000)
        throw std::out_of_range("too large");
    if (x < -1000)
        throw x;
}

int main() {
    int x;
    ep_symbolic(&x, sizeof x, "x");
    try {
        check(x);
    } catch (const char *) {
    }
    return 0;
}
