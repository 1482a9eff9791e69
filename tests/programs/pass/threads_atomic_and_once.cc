#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

static std::once_flag once;
static int made;

int main() {
    std::atomic<int> count{0};
    auto work = [&] {
        std::call_once(once, [] { ++made; });
        count.fetch_add(1, std::memory_order_relaxed);
    };
    std::thread other(work);
    work();
    other.join();
    assert(made == 1 && count == 2);
}
