// run: -O 2
// What the threads run is inlined into the library's function that begins a thread.
#include <mutex>
#include <thread>

std::mutex left, right;
int both;

int main() {
    std::thread one([] {
        left.lock();
        right.lock();
        both++;
        right.unlock();
        left.unlock();
    });
    std::thread two([] {
        right.lock();
        left.lock();
        both++;
        left.unlock();
        right.unlock();
    });
    one.join();
    two.join();
    return both == 2 ? 0 : 1;
}
