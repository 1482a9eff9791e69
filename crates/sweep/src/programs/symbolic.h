/* Around a program in Everypath: its byte is any, and its result the native one. */
#include <everypath.h>

static unsigned char sweep_byte;

static const struct {
    unsigned char runs;
    unsigned long result;
} sweep_native[256] = {
#include "native.inc"
};

static unsigned char sweep_input(void) {
    ep_symbolic(&sweep_byte, 1, "byte");
    ep_assume(sweep_native[sweep_byte].runs);
    return sweep_byte;
}

static void sweep_end(unsigned long result) {
    ep_assert(result == sweep_native[sweep_byte].result);
}
