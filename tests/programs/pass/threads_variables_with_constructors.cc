// Every thread makes and destroys its own; the static one is made once.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> made, gone;

struct Counted {
    int used = 0;
    Counted() { ++made; }
    ~Counted() { ++gone; }
};

static thread_local Counted own;

static Counted &common() {
    static Counted once;
    return once;
}

int main() {
    auto use = [] {
        assert(++own.used == 1);
        assert(common().used == 0);
    };
    std::thread other(use);
    use();
    other.join();
    assert(made == 3 && gone == 1);
}
