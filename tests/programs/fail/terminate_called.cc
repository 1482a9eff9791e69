#include <everypath.h>
#include <exception>

int main() {
    int x;
    ep_symbolic(&x, sizeof x, "x");
    if (x == 12)
        std::terminate();
    return 0;
}
