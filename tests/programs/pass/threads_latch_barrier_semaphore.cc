// run: --std c++20
#include <atomic>
#include <barrier>
#include <cassert>
#include <latch>
#include <semaphore>
#include <thread>

int main() {
    std::latch latch(2);
    std::barrier<> barrier(2);
    std::counting_semaphore<2> semaphore(0);
    std::atomic<int> stage{0};
    int written = 0;
    std::thread other([&] {
        latch.arrive_and_wait();
        written = 7;
        semaphore.release();
        barrier.arrive_and_wait();
        stage = 1;
        stage.notify_one();
    });
    latch.arrive_and_wait();
    semaphore.acquire();
    assert(written == 7);
    barrier.arrive_and_wait();
    stage.wait(0);
    other.join();
}
