// Each step is under the lock, and the library calls the program between them.
#include <algorithm>
#include <array>
#include <cassert>
#include <functional>
#include <mutex>
#include <thread>

int main() {
    std::mutex mutex;
    int sum = 0;
    std::array<int, 2> numbers{1, 2};
    std::function<void(int)> add = [&](int number) {
        int before;
        {
            std::lock_guard<std::mutex> guard(mutex);
            before = sum;
        }
        std::lock_guard<std::mutex> guard(mutex);
        sum = before + number;
    };
    std::thread other([&] { add(4); });
    std::for_each(numbers.begin(), numbers.end(), add);
    other.join();
    assert(sum == 7);
}
