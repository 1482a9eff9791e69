#include <mutex>
#include <thread>

int main() {
    std::mutex left, right;
    std::thread other([&] {
        std::scoped_lock first(left);
        std::scoped_lock second(right);
    });
    {
        std::scoped_lock first(right);
        std::scoped_lock second(left);
    }
    other.join();
}
