/* The vector moves its elements, and the reference leads to where they were. */
#include <everypath.h>
#include <vector>

int main() {
    std::vector<int> numbers = {1};
    int more;
    ep_symbolic(&more, sizeof more, "more");
    const int &first = numbers[0];
    if (more > 5)
        numbers.push_back(more);
    return first - 1;
}
