#include "everypath.h"

union view {
    uint32_t word;
    uint8_t bytes[4];
};

int main(void) {
    union view v;
    ep_symbolic(&v.word, sizeof v.word, "word");
    uint32_t again = v.bytes[0] | v.bytes[1] << 8 | v.bytes[2] << 16 | (uint32_t)v.bytes[3] << 24;
    ep_assert(again == v.word);
    return 0;
}
