#include <everypath.h>
#include <list>
#include <queue>
#include <set>

int main() {
    unsigned char values[2];
    ep_symbolic(values, sizeof values, "values");
    std::set<int> set = {values[0], values[1], 128};
    std::priority_queue<int> queue;
    for (int value : set)
        queue.push(value);
    std::list<int> list(set.rbegin(), set.rend());
    for (int value : list) {
        ep_assert(queue.top() == value);
        queue.pop();
    }
    list.remove(128);
    return static_cast<int>(list.size());
}
