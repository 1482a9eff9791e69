// run: --std c++20
#include <coroutine>
#include <everypath.h>
#include <exception>

struct Generator {
    struct promise_type {
        int current = 0;
        Generator get_return_object() {
            return {std::coroutine_handle<promise_type>::from_promise(*this)};
        }
        std::suspend_always initial_suspend() noexcept { return {}; }
        std::suspend_always final_suspend() noexcept { return {}; }
        std::suspend_always yield_value(int value) {
            current = value;
            return {};
        }
        void return_void() {}
        void unhandled_exception() { std::terminate(); }
    };
    std::coroutine_handle<promise_type> handle;
    ~Generator() { handle.destroy(); }
    bool next() {
        handle.resume();
        return !handle.done();
    }
};

static Generator squares(int limit) {
    for (int i = 1; i * i <= limit; i++)
        co_yield i * i;
}

int main() {
    int limit;
    ep_symbolic(&limit, sizeof limit, "limit");
    ep_assume(limit >= 0 && limit < 10);
    Generator generator = squares(limit);
    int count = 0, last = 0;
    while (generator.next()) {
        count++;
        last = generator.handle.promise().current;
        ep_assert(last <= limit);
    }
    ep_assert((count + 1) * (count + 1) > limit);
    return count;
}
