/* A write at a known place between two reads at symbolic ones is seen. */
#include <assert.h>
#include <everypath.h>

int main(void) {
    unsigned char i, j;
    char table[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    ep_symbolic(&i, sizeof i, "i");
    ep_symbolic(&j, sizeof j, "j");
    ep_assume(i < 8 && j < 8);
    int before = table[i];
    table[3] = 99;
    int after = table[j];
    assert(before != 99);
    assert((j == 3) == (after == 99));
    return 0;
}
