/* A map keyed by symbolic values: one path for each order of the keys. */
#include <everypath.h>
#include <map>

int main() {
    unsigned char keys[3];
    ep_symbolic(keys, sizeof keys, "keys");
    std::map<unsigned char, int> map;
    for (int i = 0; i < 3; i++)
        map[keys[i]] = i;
    int last = -1;
    for (auto &[key, value] : map) {
        ep_assert(key > last && keys[value] == key);
        last = key;
    }
    return static_cast<int>(map.size());
}
