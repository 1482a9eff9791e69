/* A call of a pure virtual function, which the constructor of the base makes. */
#include <everypath.h>

struct Base {
    explicit Base(int x) {
        if (x == 3)
            call();
    }
    void call() { run(); }
    virtual void run() = 0;
    virtual ~Base() {}
};
struct Derived : Base {
    using Base::Base;
    void run() override {}
};

int main() {
    int x;
    ep_symbolic(&x, sizeof x, "x");
    Derived derived(x);
    derived.call();
    return 0;
}
