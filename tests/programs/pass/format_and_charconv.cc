// run: --std c++20
#include <charconv>
#include <everypath.h>
#include <format>
#include <string>

int main() {
    unsigned char x;
    ep_symbolic(&x, sizeof x, "x");
    ep_assume(x < 12);
    std::string text = std::format("<{:>3}|{:02x}>", static_cast<int>(x), 255);
    ep_assert(text.size() == 8 && text.substr(4) == "|ff>");
    char digits[8];
    auto [end, error] = std::to_chars(digits, digits + 8, static_cast<int>(x));
    int back = -1;
    std::from_chars(digits, end, back);
    ep_assert(error == std::errc() && back == x);
    return 0;
}
