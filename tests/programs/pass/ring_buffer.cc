/* A ring buffer as a template, against a model. */
#include <array>
#include <deque>
#include <everypath.h>
#include <optional>

template <class T, std::size_t N> class Ring {
    std::array<T, N> room{};
    std::size_t begin = 0, count = 0;

  public:
    bool push(T value) {
        if (count == N)
            return false;
        room[(begin + count++) % N] = value;
        return true;
    }
    std::optional<T> pop() {
        if (count == 0)
            return {};
        T value = room[begin];
        begin = (begin + 1) % N;
        count--;
        return value;
    }
};

int main() {
    Ring<int, 2> ring;
    std::deque<int> model;
    for (int i = 0; i < 4; i++) {
        unsigned char pushes;
        ep_symbolic(&pushes, sizeof pushes, "pushes");
        if (pushes & 1) {
            ep_assert(ring.push(i) == (model.size() < 2));
            if (model.size() < 2)
                model.push_back(i);
        } else {
            auto value = ring.pop();
            ep_assert(value.has_value() == !model.empty());
            if (value) {
                ep_assert(*value == model.front());
                model.pop_front();
            }
        }
    }
    return 0;
}
