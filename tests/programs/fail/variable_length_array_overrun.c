#include "everypath.h"

int main(void) {
    int n = 3;
    char block[n];
    for (int i = 0; i < 4; i++)
        block[i] = 0; // error: out-of-bounds-write
    return block[0];
}
