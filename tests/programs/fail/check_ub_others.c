// run: --check ub
// Shifts, indices, truth values, conversions of floats, and code that must not be reached.
#include <everypath.h>
#include <string.h>
int main(void) {
    unsigned char choice, byte;
    ep_symbolic(&choice, 1, "choice");
    ep_symbolic(&byte, 1, "byte");
    int table[4] = {1, 2, 3, 4};
    int *address = table;
    _Bool truth;
    switch (choice) {
    case 0:
        return 1 << byte; // error: shift
    case 1:
        return table[byte]; // error: index-out-of-bounds
    case 2:
        memcpy(&truth, &byte, 1);
        return truth; // error: invalid-value
    case 3:
        return (int)(byte * 1e10); // error: float-cast
    case 4:
        if (byte == 9)
            __builtin_unreachable(); // error: unreachable
        return 0;
    case 5:
        address = (int *)((char *)table + (byte & 3));
        return *address; // error: misaligned
    }
    return 0;
}
