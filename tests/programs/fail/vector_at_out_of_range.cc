#include <everypath.h>
#include <vector>

int main() {
    std::vector<int> numbers = {1, 2, 3};
    unsigned index;
    ep_symbolic(&index, sizeof index, "index");
    return numbers.at(index) == 0;
}
