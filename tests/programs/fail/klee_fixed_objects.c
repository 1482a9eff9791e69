// Registers of a device, at addresses that the program knows; two of them share a page.
#include "klee/klee.h"
#define CONTROL ((volatile unsigned *)0x40020000)
#define STATUS ((volatile unsigned *)0x40020004)
int main(void) {
    unsigned value;
    klee_make_symbolic(&value, sizeof value, "value");
    klee_define_fixed_object((void *)CONTROL, 4);
    klee_define_fixed_object((void *)STATUS, 8);
    *CONTROL = value;
    klee_assert(*STATUS == 0);
    if (*CONTROL & 1)
        STATUS[1] = 7;
    klee_assert(STATUS[1] == (value & 1 ? 7 : 0));
    if (value == 8)
        return STATUS[0x4000]; // error: out-of-bounds-read
    if (value == 10) // the path ends: there is an object already
        klee_define_fixed_object((void *)0x40020008, 4);
    return 0;
}
