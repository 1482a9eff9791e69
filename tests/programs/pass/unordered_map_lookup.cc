#include <everypath.h>
#include <unordered_map>

int main() {
    std::unordered_map<int, int> squares;
    for (int i = 0; i < 8; i++)
        squares[i] = i * i;
    int key;
    ep_symbolic(&key, sizeof key, "key");
    ep_assume(key >= 0 && key < 10);
    auto found = squares.find(key);
    if (found == squares.end())
        return 1;
    ep_assert(found->second == key * key);
    return 0;
}
