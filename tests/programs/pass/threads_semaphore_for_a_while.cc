// run: --std c++20
// Nobody gives what these wait for, and they give up.
#include <atomic>
#include <chrono>
#include <semaphore>
#include <thread>

static std::binary_semaphore nothing(0);
static std::atomic<int> given_up;

static void wait_a_while(std::chrono::milliseconds limit) {
    if (!nothing.try_acquire_for(limit))
        ++given_up;
}

int main() {
    std::thread other(wait_a_while, std::chrono::seconds(2));
    wait_a_while(std::chrono::milliseconds(10));
    other.join();
    return given_up == 2 ? 0 : 1;
}
