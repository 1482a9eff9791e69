/* The fourth element is in memory that the vector keeps in reserve, and no element. */
#include <everypath.h>
#include <vector>

int main() {
    std::vector<int> numbers;
    numbers.reserve(4);
    numbers.push_back(1);
    numbers.push_back(2);
    numbers.push_back(3);
    unsigned index;
    ep_symbolic(&index, sizeof index, "index");
    ep_assume(index < 4);
    return numbers[index] == 0;
}
