#include <cassert>
#include <everypath.h>
#include <future>
#include <stdexcept>

static int half(int x) {
    if (x % 2)
        throw std::invalid_argument("odd");
    return x / 2;
}

int main() {
    int x = ep::any<unsigned char>("x");
    std::future<int> result = std::async(std::launch::async, half, x);
    try {
        assert(result.get() * 2 == x);
    } catch (const std::invalid_argument &) {
        assert(x % 2);
    }
}
