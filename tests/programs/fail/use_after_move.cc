#include <everypath.h>
#include <memory>

int main() {
    int x;
    ep_symbolic(&x, sizeof x, "x");
    auto owner = std::make_unique<int>(x);
    if (x == 7) {
        auto thief = std::move(owner);
    }
    return *owner == 7;
}
