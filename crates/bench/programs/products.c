/* Numbers whose products have to fit together: each branch is a query that takes a
 * solver some search, and there are many paths. */
#include <everypath.h>

#ifndef COUNT
#define COUNT 4
#endif

int main(void) {
    unsigned short numbers[COUNT];
    ep_symbolic(numbers, sizeof numbers, "numbers");
    int fits = 0;
    for (int i = 0; i + 1 < COUNT; i++) {
        unsigned product = (unsigned)numbers[i] * numbers[i + 1];
        if ((product & 0xfff) == 0x5a7)
            fits++;
        if ((product >> 8 & 0xff) > (numbers[i] ^ numbers[i + 1]))
            fits += 2;
    }
    return fits;
}
