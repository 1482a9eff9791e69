/* Virtual bases, calls through them while objects are made, and pointers to members. */
#include <everypath.h>

struct Base {
    int value;
    explicit Base(int value) : value(value) {}
    virtual int kind() const { return 0; }
    virtual ~Base() {}
};
struct Left : virtual Base {
    int during;
    Left() : Base(1), during(kind()) {}
    int kind() const override { return 1; }
};
struct Right : virtual Base {
    Right() : Base(2) {}
    int twice() const { return 2 * value; }
    int thrice() const { return 3 * value; }
};
struct Bottom : Left, Right {
    explicit Bottom(int value) : Base(value) {}
    int kind() const override { return 3; }
};

int main() {
    int x;
    ep_symbolic(&x, sizeof x, "x");
    ep_assume(x > 0 && x < 100);
    Bottom bottom(x);
    ep_assert(bottom.during == 1 && bottom.kind() == 3);
    int (Right::*member)() const = x % 2 ? &Right::twice : &Right::thrice;
    int Base::*field = &Base::value;
    ep_assert((bottom.*member)() == (x % 2 ? 2 : 3) * bottom.*field);
    return 0;
}
