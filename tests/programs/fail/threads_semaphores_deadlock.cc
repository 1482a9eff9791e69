// run: --std c++20
// Each thread holds what the other wants.
#include <functional>
#include <semaphore>
#include <thread>

static std::binary_semaphore left(1), right(1);

static void take(std::binary_semaphore &first, std::binary_semaphore &second) {
    first.acquire();
    second.acquire();
    second.release();
    first.release();
}

int main() {
    std::thread other(take, std::ref(right), std::ref(left));
    take(left, right);
    other.join();
    return 0;
}
