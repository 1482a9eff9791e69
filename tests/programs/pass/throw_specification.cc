// run: --std c++14
/* What leaves a function that says it throws others only ends in std::unexpected. */
#include <cstdlib>
#include <everypath.h>
#include <exception>

static void check(int x) throw(int) {
    if (x == 1)
        throw 1;
    if (x == 2)
        throw 'c';
}

int main() {
    int x;
    ep_symbolic(&x, sizeof x, "x");
    std::set_unexpected([] { std::exit(7); });
    try {
        check(x);
        return 0;
    } catch (int) {
        return 1;
    }
}
