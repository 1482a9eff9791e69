// run: --std c++20
#include <everypath.h>
#include <ranges>
#include <vector>

int main() {
    std::vector<int> numbers = {1, 2, 3, 4, 5, 6};
    int divisor;
    ep_symbolic(&divisor, sizeof divisor, "divisor");
    ep_assume(divisor == 2 || divisor == 3);
    int sum = 0;
    for (int n : numbers | std::views::filter([&](int n) { return n % divisor == 0; })
                     | std::views::transform([](int n) { return n * n; }))
        sum += n;
    ep_assert(sum == (divisor == 2 ? 4 + 16 + 36 : 9 + 36));
    return 0;
}
