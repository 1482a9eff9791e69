/* What programs do with addresses: cut them to 32 bits, hash them, keep flags in the bits
 * that alignment leaves free or that no process uses. */
#include "everypath.h"
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

static int one, two;

int main(void) {
    enum { COUNT = 300 };
    static void *objects[COUNT];
    int used[64] = {0}, slots = 0;
    for (int i = 0; i < COUNT; i++) {
        objects[i] = malloc(1 + i % 50);
        assert((uintptr_t)objects[i] % 16 == 0);
        assert((uintptr_t)objects[i] >> 47 == 0);
        slots += used[(uintptr_t)objects[i] >> 4 & 63]++ == 0;
        for (int k = 0; k < i; k++) assert((uint32_t)(uintptr_t)objects[i] != (uint32_t)(uintptr_t)objects[k]);
    }
    assert(slots > 32);
    assert((uint32_t)(uintptr_t)&one != (uint32_t)(uintptr_t)&two);
    // NaN boxing: a pointer in the 48 bits that a quiet NaN leaves.
    uint64_t boxed = 0x7ffc000000000000u | (uintptr_t)objects[7];
    char *back = (char *)(uintptr_t)(boxed & 0xffffffffffffu);
    unsigned char index;
    ep_symbolic(&index, sizeof index, "index");
    ep_assume(index < 8);
    back[index] = 1;
    assert(((char *)objects[7])[index] == 1);
    void *page;
    assert(posix_memalign(&page, 4096, 100) == 0 && (uintptr_t)page % 4096 == 0);
    assert(posix_memalign(&page, 24, 100) != 0);
    return 0;
}
