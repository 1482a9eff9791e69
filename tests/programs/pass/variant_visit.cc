// run: --std c++20
#include <everypath.h>
#include <string>
#include <variant>

int main() {
    unsigned char which;
    ep_symbolic(&which, sizeof which, "which");
    std::variant<int, double, std::string> value = 3;
    if (which == 1)
        value = 2.5;
    else if (which == 2)
        value = std::string("four");
    int size = std::visit(
        [](const auto &held) -> int {
            if constexpr (requires { held.size(); })
                return held.size();
            else
                return static_cast<int>(held);
        },
        value);
    ep_assert(size == (which == 1 ? 2 : which == 2 ? 4 : 3));
    try {
        return std::get<int>(value) - 3;
    } catch (const std::bad_variant_access &) {
        return 1;
    }
}
