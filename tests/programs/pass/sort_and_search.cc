#include <algorithm>
#include <everypath.h>
#include <numeric>
#include <vector>

int main() {
    std::vector<unsigned char> numbers(3);
    ep_symbolic(numbers.data(), 3, "numbers");
    int sum = std::accumulate(numbers.begin(), numbers.end(), 0);
    std::sort(numbers.begin(), numbers.end());
    ep_assert(numbers[0] <= numbers[1] && numbers[1] <= numbers[2]);
    ep_assert(numbers[0] + numbers[1] + numbers[2] == sum);
    auto at = std::lower_bound(numbers.begin(), numbers.end(), 100);
    return static_cast<int>(at - numbers.begin());
}
