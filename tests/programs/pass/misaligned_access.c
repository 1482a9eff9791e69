#include <string.h>
#include "everypath.h"

struct __attribute__((packed)) record {
    char tag;
    int value;
};

int main(void) {
    struct record r = {1, 0};
    ep_symbolic(&r.value, sizeof r.value, "value");
    struct record copies[2] = {r, r};
    ep_assert(sizeof r == 5 && copies[1].value == r.value);
    return 0;
}
