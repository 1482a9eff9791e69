// Functions of every type that can be passed.

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define WIDTH(name, type)                                                                          \
    type next_##name(type x) { return (type)(x + 1); }                                             \
    int64_t widen_##name(type x) { return (int64_t)x; }                                            \
    type narrow_##name(int64_t x) { return (type)x; }

WIDTH(i8, int8_t)
WIDTH(u8, uint8_t)
WIDTH(i16, int16_t)
WIDTH(u16, uint16_t)
WIDTH(i32, int32_t)
WIDTH(u32, uint32_t)
WIDTH(i64, int64_t)
WIDTH(u64, uint64_t)

bool negate(bool x) { return !x; }
bool is_negative(int32_t x) { return x < 0; }
int32_t from_bool(bool x) { return x ? 7 : -7; }

float same_float(float x) { return x; }
double same_double(double x) { return x; }
double from_float(float x) { return x; }
uint64_t double_bits(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

// More of each kind than there are registers.
int64_t many_integers(int8_t a, uint8_t b, int16_t c, uint16_t d, int32_t e, uint32_t f, int64_t g,
                      uint64_t h, int8_t i, uint16_t j) {
    return a + 2 * b + 3 * c + 4 * d + 5 * (int64_t)e + 6 * (int64_t)f + 7 * g + 8 * (int64_t)h +
           9 * i + 10 * j;
}
double many_mixed(double a, int32_t b, float c, int64_t d, double e, float f, double g, double h,
                  float i, double j, double k, float l, int8_t m, int8_t n, int8_t o, int8_t p,
                  int8_t q, double r) {
    return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * j + 11 * k +
           12 * l + 13 * m + 14 * n + 15 * o + 16 * p + 17 * q + 18 * r;
}

int32_t nothing_taken(void) { return 42; }

static int32_t calls;
int32_t counted(int32_t x) {
    calls++;
    return 2 * x;
}
int32_t times_counted(void) { return calls; }

// libm has a function of this name.
double j0(double x) { return -x; }
