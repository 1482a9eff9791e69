// run: --leaks
/* What was constructed is destroyed in reverse order, and the object itself is not; memory
 * of `new` is given back. */
#include <everypath.h>

static int order;
struct Part {
    int number;
    explicit Part(int number, bool fails) : number(number) {
        if (fails)
            throw number;
    }
    ~Part() { order = 10 * order + number; }
};
struct Whole {
    Part first, second, third;
    explicit Whole(int bad)
        : first(1, bad == 1), second(2, bad == 2), third(3, bad == 3) {}
    ~Whole() { order = 1000; }
};

int main() {
    int bad;
    ep_symbolic(&bad, sizeof bad, "bad");
    ep_assume(bad >= 1 && bad <= 4);
    try {
        delete new Whole(bad);
        ep_assert(order == 1000321);
        return 4;
    } catch (int number) {
        ep_assert(number == bad);
        ep_assert(order == (bad == 1 ? 0 : bad == 2 ? 1 : 21));
        return number;
    }
}
