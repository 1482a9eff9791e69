// run: --std c++20
// Whoever waits for a time only finds that it is over.
#include <chrono>
#include <condition_variable>
#include <future>
#include <mutex>
#include <thread>

using namespace std::chrono_literals;

static std::timed_mutex busy;
static std::mutex lock;
static std::condition_variable changed;
static bool is_done;

int main() {
    std::promise<int> never;
    if (never.get_future().wait_for(2s) != std::future_status::timeout)
        return 1;
    bool taken = true;
    busy.lock();
    std::thread other([&] { taken = busy.try_lock_for(1s); });
    other.join();
    std::unique_lock held(lock);
    bool done = changed.wait_for(held, 10ms, [] { return is_done; });
    return taken || done ? 2 : 0;
}
