// C++: classes, virtual functions, templates, references, constructors, lambdas.
#include <cstdint>
#include <cstddef>
#include <new>

namespace {

struct Shape {
    virtual ~Shape() {}
    virtual uint64_t area() const = 0;
    virtual uint64_t corners() const { return 0; }
};

struct Named { const char *name; uint64_t serial; };

struct Square final : Shape {
    explicit Square(uint64_t side) : side(side) {}
    uint64_t area() const override { return side * side; }
    uint64_t corners() const override { return 4; }
    uint64_t side;
};

struct Label : Named, Shape {
    Label(const char *text, uint64_t serial) : Named{text, serial} {}
    uint64_t area() const override { return serial * 3 + static_cast<unsigned char>(name[0]); }
};

template <typename T, size_t N> struct Stack {
    T items[N];
    size_t count = 0;
    void push(const T &item) { items[count++] = item; }
    T pop() { return items[--count]; }
    template <typename F> uint64_t fold(uint64_t start, F f) const {
        for (size_t i = 0; i < count; i++) start = f(start, items[i]);
        return start;
    }
};

struct Counted {
    static int alive;
    int id;
    explicit Counted(int id) : id(id) { alive += id; }
    Counted(const Counted &other) : id(other.id + 1) { alive += id; }
    ~Counted() { alive -= 1; }
};
int Counted::alive = 100;

Counted at_start(7);
uint64_t seed = Counted::alive * 3;

uint64_t through(Counted copy, Counted &&moved, const Counted &same) {
    return copy.id * 100 + moved.id * 10 + same.id;
}

uint64_t overloaded(int) { return 1; }
uint64_t overloaded(double) { return 2; }
uint64_t overloaded(const char *) { return 3; }

constexpr uint64_t factorial(uint64_t n) { return n < 2 ? 1 : n * factorial(n - 1); }

} // namespace

extern "C" unsigned long long run() {
    uint64_t result = seed;
    Square square(6);
    Label label("x", 9);
    const Shape *shapes[] = { &square, &label };
    for (const Shape *shape : shapes) result = result * 31 + shape->area() + shape->corners();
    Stack<int, 8> stack;
    for (int i = 0; i < 5; i++) stack.push(i * i);
    int last = stack.pop();
    result = stack.fold(result, [last](uint64_t a, int b) { return a * 7 + b + last; });
    {
        Counted one(1);
        result = result * 31 + through(one, Counted(4), one);
    }
    result = result * 31 + Counted::alive + at_start.id;
    result = result * 31 + overloaded(1) + 10 * overloaded(1.0) + 100 * overloaded("");
    static uint64_t once = result + factorial(10);
    alignas(Square) unsigned char room[sizeof(Square)];
    Shape *placed = new (room) Square(3);
    result = result * 31 + once + placed->area();
    placed->~Shape();
    uint64_t Named::*member = &Named::serial;
    uint64_t (Shape::*method)() const = &Shape::area;
    return result * 31 + label.*member + (square.*method)();
}
