#include <any>
#include <everypath.h>
#include <functional>
#include <memory>
#include <optional>

static std::optional<int> half(int x) {
    if (x % 2)
        return std::nullopt;
    return x / 2;
}

int main() {
    unsigned char x;
    ep_symbolic(&x, sizeof x, "x");
    std::function<int(int)> add = [&](int y) { return x + y; };
    auto halved = half(add(1));
    ep_assert(halved.has_value() == (x % 2 == 1));
    std::any box = halved.value_or(-1);
    std::shared_ptr<int> shared = std::make_shared<int>(std::any_cast<int>(box));
    std::weak_ptr<int> weak = shared;
    auto unique = std::make_unique<int>(*shared);
    shared.reset();
    ep_assert(weak.expired() && *unique == halved.value_or(-1));
    try {
        return halved.value() > 100;
    } catch (const std::bad_optional_access &) {
        return 2;
    }
}
