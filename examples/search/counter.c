/* A counter that must reach 110, one step for each byte that is 15.
 *
 *     everypath run counter.c --search fitness --max-errors 1
 *
 * On every path the counter is a number, so that the solver is not asked how to
 * make it 110: that takes 110 of 150 branches the other way. */
#include <assert.h>
#include <everypath.h>

enum { BYTES = 150 };

int main(void) {
    unsigned char bytes[BYTES];
    ep_symbolic(bytes, sizeof bytes, "bytes");
    int count = 0;
    for (int i = 0; i < BYTES; i++)
        if (bytes[i] == 15)
            count++;
    assert(count < 110);
    return 0;
}
