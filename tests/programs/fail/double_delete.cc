#include <everypath.h>

struct Owner {
    int *number = new int(1);
    ~Owner() { delete number; }
};

int main() {
    bool copies;
    ep_symbolic(&copies, sizeof copies, "copies");
    Owner owner;
    if (copies)
        Owner other = owner;
    return 0;
}
