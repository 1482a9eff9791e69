// Integers of every width, floating point, conversions.
#include <stdint.h>
#include <limits.h>

static uint64_t mix(uint64_t h, uint64_t x) { return (h ^ x) * 0x9e3779b97f4a7c15u + (x >> 7); }

static uint64_t integers(int8_t a, uint16_t b, int32_t c, uint64_t d) {
    uint64_t h = 1;
    h = mix(h, (uint64_t)(a * b)); h = mix(h, (uint64_t)(a / 3)); h = mix(h, (uint64_t)(a % 3));
    h = mix(h, (uint64_t)(c >> 3)); h = mix(h, (uint32_t)c >> 3); h = mix(h, (uint64_t)c << 5);
    h = mix(h, d / 7); h = mix(h, d % 1000); h = mix(h, (uint64_t)((int64_t)d / -9));
    h = mix(h, (uint64_t)(int16_t)(b + 40000)); h = mix(h, (uint64_t)(uint8_t)a); h = mix(h, ~d);
    h = mix(h, (uint64_t)(a < b)); h = mix(h, (uint64_t)((int64_t)c < (int64_t)d)); h = mix(h, !c);
    return h;
}

static uint64_t wide(__int128 a, unsigned __int128 b) {
    unsigned __int128 p = (unsigned __int128)a * b;
    uint64_t h = mix((uint64_t)p, (uint64_t)(p >> 64));
    h = mix(h, (uint64_t)(a / 1000003)); h = mix(h, (uint64_t)((a % 77) >> 1)); h = mix(h, a < 0);
    return mix(h, (uint64_t)(b >> 99));
}

static uint64_t odd(_BitInt(37) a, unsigned _BitInt(100) b) {
    _BitInt(37) c = a * 5 - 1;
    unsigned _BitInt(100) d = b << 13 | (unsigned _BitInt(100))c;
    return mix((uint64_t)c, mix((uint64_t)d, (uint64_t)(d >> 64)));
}

static uint64_t of_double(double d) { union { double d; uint64_t u; } v = { d }; return v.u; }
static uint64_t of_float(float f) { union { float f; uint32_t u; } v = { f }; return v.u; }

static uint64_t floats(double a, float b, int n) {
    uint64_t h = 2;
    h = mix(h, of_double(a + b)); h = mix(h, of_double(a / 3)); h = mix(h, of_float(b * 1.1f));
    h = mix(h, of_float((float)a)); h = mix(h, (uint64_t)(int64_t)(a * 1000)); h = mix(h, (uint8_t)b);
    h = mix(h, of_double((double)n)); h = mix(h, of_float((float)(unsigned)n)); h = mix(h, of_double(-a));
    h = mix(h, (uint64_t)(a < b) + 2 * (a != a) + 4 * (a >= n)); h = mix(h, of_double(a > 0 ? a : -a));
    double zero = 0, nan = zero / zero;
    h = mix(h, (uint64_t)(nan < a) + 2 * (nan != nan) + 4 * !(nan >= a) + 8 * (1 / zero > a));
    for (int i = 1; i < 20; i++) a = a * 0.75 + 1.0 / i;
    return mix(h, of_double(a));
}

static uint64_t builtins(uint32_t x, uint64_t y) {
    uint64_t h = 3;
    int sum; unsigned product;
    h = mix(h, (uint64_t)__builtin_popcount(x)); h = mix(h, (uint64_t)__builtin_clzll(y));
    h = mix(h, (uint64_t)__builtin_ctz(x)); h = mix(h, __builtin_bswap64(y)); h = mix(h, __builtin_bswap16((uint16_t)x));
    h = mix(h, (uint64_t)__builtin_sadd_overflow((int)x, INT_MAX, &sum) + (uint32_t)sum);
    h = mix(h, (uint64_t)__builtin_umul_overflow(x, 77, &product) + product);
    h = mix(h, x << 7 | x >> 25); h = mix(h, __builtin_bitreverse32(x)); h = mix(h, (uint64_t)__builtin_expect(x > 3, 1));
    h = mix(h, (uint64_t)__builtin_abs((int)x)); h = mix(h, x > y ? x : y); h = mix(h, (int)x < -5 ? (uint64_t)-5 : x);
    return h;
}

unsigned long long run(void) {
    uint64_t h = 0;
    for (int i = -3; i < 4; i++) {
        h = mix(h, integers((int8_t)(i * 41), (uint16_t)(i * 7919), i * 123456789, (uint64_t)i * 0x123456789abcdef));
        h = mix(h, wide((__int128)((unsigned __int128)i << 70) | 12345, (unsigned __int128)(i + 9) << 101 | 999));
        h = mix(h, odd((_BitInt(37))i * 99999, (unsigned _BitInt(100))0x123456789abcdef << 30));
        h = mix(h, floats(i * 1.37, i < 0 ? 2.5f : i * 0.3f, i * 1000));
        h = mix(h, builtins((uint32_t)(i * 99991 + 1), (uint64_t)(i + 5) << (i + 20)));
    }
    return h;
}
