#include "everypath.h"

int main(void) {
    int a[5] = {1, 1, 1, 1, 1};
    unsigned i, j;
    ep_symbolic(&i, sizeof i, "i");
    ep_symbolic(&j, sizeof j, "j");
    ep_assume((i < 5) & (j < 5));
    a[i] = 0;
    a[j] += 1;
    int sum = a[0] + a[1] + a[2] + a[3] + a[4];
    ep_assert(sum == 5);
    return 0;
}
