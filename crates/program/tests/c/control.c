// Switches, gotos, computed gotos, loops, recursion, function pointers.
#include <stdint.h>

static uint32_t classify(int x) {
    switch (x) {
    case -5: return 1;
    case 0: case 1: case 2: return 2;
    case 100: x++; /* falls through */
    case 101: return (uint32_t)x + 3;
    case 1000 ... 1010: return 4;
    case 0x7fffffff: return 5;
    default: return x < 0 ? 6 : 7;
    }
}

static uint32_t wide(uint64_t x) {
    switch (x) {
    case 1: return 10;
    case 0xffffffffffffffffu: return 20;
    case 0x8000000000000000u: return 30;
    }
    return 40;
}

static uint64_t machine(const unsigned char *code) {
    static const void *const labels[] = { &&halt, &&push, &&add, &&mul, &&dup, &&loop };
    uint64_t stack[16];
    int top = 0, turns = 3;
    const unsigned char *start = code;
    goto *labels[*code++];
push: stack[top++] = *code++; goto *labels[*code++];
add: top--; stack[top - 1] += stack[top]; goto *labels[*code++];
mul: top--; stack[top - 1] *= stack[top]; goto *labels[*code++];
dup: stack[top] = stack[top - 1]; top++; goto *labels[*code++];
loop: if (--turns) { code = start + *code; goto *labels[*code++]; } code++; goto *labels[*code++];
halt: return stack[top - 1];
}

static uint64_t ackermann(uint64_t m, uint64_t n) {
    return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

typedef uint32_t (*operation)(uint32_t, uint32_t);
static uint32_t plus(uint32_t a, uint32_t b) { return a + b; }
static uint32_t times(uint32_t a, uint32_t b) { return a * b; }
static operation chosen(int which) { return which ? plus : times; }
static const operation operations[] = { plus, times, plus };

static uint32_t collatz(uint32_t n) {
    uint32_t steps = 0;
    do {
        if (n == 1) break;
        if (n % 2) { n = 3 * n + 1; steps++; continue; }
        n /= 2; steps++;
    } while (steps < 1000);
    return steps;
}

static uint64_t fibonacci(int n) {
    uint64_t a = 0, b = 1;
    while (n-- > 0) { uint64_t t = a; a = b; b = t + b; }
    return a;
}

unsigned long long run(void) {
    uint64_t result = 0;
    static const int inputs[] = { -5, 0, 2, 100, 101, 1005, 0x7fffffff, -7, 50 };
    for (unsigned i = 0; i < sizeof inputs / sizeof *inputs; i++)
        result = result * 31 + classify(inputs[i]);
    result = result * 31 + wide(1) + wide(-1) + wide(1ull << 63) + wide(7);
    static const unsigned char code[] = { 1, 7, 4, 3, 1, 5, 2, 5, 2, 0 };
    result = result * 31 + machine(code);
    result = result * 31 + ackermann(2, 5);
    for (int i = 0; i < 3; i++)
        result = result * 31 + operations[i](i + 2, i + 3) + chosen(i)(5, 6);
    result = result * 31 + collatz(27) + fibonacci(60);
outer:
    for (int i = 0; i < 10; i++)
        for (int j = 0; j < 10; j++) {
            if (i * j == 42) goto done;
            if (result % 1000 == 999) { result++; goto outer; }
            result += (uint64_t)(i ^ j);
        }
done:
    return result;
}
