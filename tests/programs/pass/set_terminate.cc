#include <cstdlib>
#include <everypath.h>
#include <exception>

int main() {
    int x;
    ep_symbolic(&x, sizeof x, "x");
    std::set_terminate([] { std::exit(4); });
    if (x == 1)
        throw 1;
    return 0;
}
