// Makes the calls that come on standard input, and writes their results.
//
// A call is the number of a function, the number of its operands, and the
// operands; operands and results take sixteen bytes each.

#include <stdint.h>
#include <stdio.h>

enum { SLOT = 16, MOST_OPERANDS = 16 };

typedef void call(const void *operands, void *result);
extern call *const calls[];

int main(void) {
    uint32_t head[2];
    while (fread(head, sizeof head, 1, stdin) == 1) {
        _Alignas(SLOT) unsigned char operands[MOST_OPERANDS][SLOT];
        _Alignas(SLOT) unsigned char result[SLOT] = {0};
        if (head[1] > MOST_OPERANDS || fread(operands, SLOT, head[1], stdin) != head[1])
            return 1;
        calls[head[0]](operands, result);
        fwrite(result, SLOT, 1, stdout);
    }
    return 0;
}
