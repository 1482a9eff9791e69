/* Casts down, across and to the whole object, and what typeid says. */
#include <everypath.h>
#include <typeinfo>

struct Shape { virtual ~Shape() {} };
struct Named { int name = 5; virtual ~Named() {} };
struct Circle : Shape, Named {};
struct Square : Shape {};

int main() {
    unsigned char which;
    ep_symbolic(&which, sizeof which, "which");
    Circle circle;
    Square square;
    Shape *shape = &square;
    if (which & 1)
        shape = &circle;
    Named *named = dynamic_cast<Named *>(shape);
    ep_assert((named != nullptr) == (which & 1));
    if (named) {
        ep_assert(named->name == 5 && dynamic_cast<Circle *>(named) == &circle);
        ep_assert(dynamic_cast<void *>(named) == &circle);
    }
    ep_assert((typeid(*shape) == typeid(Square)) == !(which & 1));
    try {
        dynamic_cast<Square &>(*shape);
        return 0;
    } catch (const std::bad_cast &) {
        return 1;
    }
}
