#include <chrono>
#include <everypath.h>

int main() {
    using namespace std::chrono;
    unsigned char x;
    ep_symbolic(&x, sizeof x, "x");
    auto before = steady_clock::now();
    minutes m{x};
    seconds s = m + 30s;
    ep_assert(s.count() == x * 60 + 30);
    ep_assert(steady_clock::now() >= before);
    return duration_cast<hours>(s).count() > 2;
}
