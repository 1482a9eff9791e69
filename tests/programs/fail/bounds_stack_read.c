#include "everypath.h"

int main(void) {
    int a[4] = {0};
    int i;
    ep_symbolic(&i, sizeof i, "i");
    return a[i]; // error: out-of-bounds-read
}
