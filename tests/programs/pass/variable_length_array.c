#include "everypath.h"

static int sum_to(int n) {
    int values[n];
    for (int i = 0; i < n; i++)
        values[i] = i;
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += values[i];
    return sum;
}

int main(void) {
    for (int n = 1; n < 5; n++) {
        char block[n];
        block[n - 1] = 0;
        ep_assert(sum_to(n) == n * (n - 1) / 2 + block[n - 1]);
    }
    return 0;
}
