/* Globals in order before main, a local static once on its first use, and all of them
 * destroyed in reverse order after main. */
#include <everypath.h>

static int made;
struct Counted {
    int number;
    Counted() : number(++made) {}
    ~Counted() { ep_assert(made-- == number); }
};
static Counted first, second;

static Counted &local() {
    static Counted only;
    return only;
}

int main() {
    bool twice;
    ep_symbolic(&twice, sizeof twice, "twice");
    ep_assert(first.number == 1 && second.number == 2 && made == 2);
    if (twice)
        local();
    ep_assert(local().number == 3 && made == 3);
    return 0;
}
