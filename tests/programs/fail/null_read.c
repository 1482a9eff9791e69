#include "everypath.h"

struct pair {
    int a, b;
};

int main(void) {
    bool none;
    ep_symbolic(&none, sizeof none, "none");
    struct pair here = {1, 2}, *p = none ? 0 : &here;
    return p->b; // error: null-dereference
}
