#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

int main() {
    std::mutex lock;
    std::condition_variable changed;
    bool ready = false;
    std::thread other([&] {
        std::lock_guard<std::mutex> guard(lock);
        ready = true;
        changed.notify_one();
    });
    {
        std::unique_lock<std::mutex> guard(lock);
        changed.wait(guard, [&] { return ready; });
    }
    other.join();
    assert(ready);
}
