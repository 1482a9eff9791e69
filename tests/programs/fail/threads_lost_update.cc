#include <atomic>
#include <cassert>
#include <thread>

int main() {
    std::atomic<int> count{0};
    auto add = [&] { count = count + 1; };
    std::thread other(add);
    add();
    other.join();
    assert(count == 2);
}
