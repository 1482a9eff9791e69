#include <everypath.h>
#include <mutex>
#include <string>

static thread_local int depth = 3;
static std::string &shared() {
    static std::string text = "made once";
    return text;
}

int main() {
    int x;
    ep_symbolic(&x, sizeof x, "x");
    std::mutex mutex;
    {
        std::lock_guard<std::mutex> lock(mutex);
        depth += x > 0;
    }
    std::once_flag flag;
    int called = 0;
    for (int i = 0; i < 2; i++)
        std::call_once(flag, [&] { called++; });
    ep_assert(called == 1 && shared() == "made once");
    return depth;
}
