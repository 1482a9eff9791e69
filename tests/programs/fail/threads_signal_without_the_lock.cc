// The flag changes between the look at it and the wait: nobody signals again.
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

int main() {
    std::mutex mutex;
    std::condition_variable changed;
    std::atomic<bool> ready{false};
    std::thread other([&] {
        ready = true;
        changed.notify_one();
    });
    {
        std::unique_lock<std::mutex> lock(mutex);
        changed.wait(lock, [&] { return ready.load(); });
    }
    other.join();
}
