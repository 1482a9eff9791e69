// Structures, unions, bit-fields, and how they are passed.
#include <stdint.h>
#include <stddef.h>

struct point { int x, y; };
struct mixed { char tag; double weight; short small[3]; struct point at; };
struct large { uint64_t part[5]; };
struct flags { unsigned a : 3; int b : 7; unsigned : 0; unsigned c : 20; uint64_t d : 37; };
struct __attribute__((packed)) tight { char a; int b; char c; };
union view { float number; uint32_t bits; uint8_t bytes[4]; };
struct pair { double first; int64_t second; };
struct anonymous { int kind; union { int i; float f; }; };

static struct point moved(struct point p, int by) { p.x += by; p.y -= by; return p; }
static struct large filled(uint64_t seed) {
    struct large l;
    for (int i = 0; i < 5; i++) l.part[i] = seed * (i + 1);
    return l;
}
static uint64_t sum(struct large l) {
    uint64_t s = 0;
    for (int i = 0; i < 5; i++) s = s * 31 + l.part[i];
    l.part[0] = 0;
    return s;
}
static struct pair swapped(struct pair p) {
    struct pair q = { (double)p.second, (int64_t)p.first };
    return q;
}

static struct mixed table[3] = { { 'a', 1.5, { 1, 2, 3 }, { 4, 5 } }, { .weight = 2.25 }, { 'c' } };

unsigned long long run(void) {
    uint64_t result = 0;
    struct point p = moved((struct point){ 10, 20 }, 7);
    result = result * 1000003 + (uint32_t)(p.x * 100 + p.y);
    struct large l = filled(12345);
    result = result * 1000003 + sum(l) + l.part[0];
    struct flags f = { 5, -3, 0xabcde, 0x123456789 };
    f.a += 4; f.b *= 2; f.c ^= 0xfff; f.d++;
    result = result * 1000003 + f.a + (uint64_t)f.b + f.c + f.d;
    struct tight t = { 1, 0x01020304, 2 };
    result = result * 1000003 + t.b + t.c + sizeof t + offsetof(struct tight, c);
    union view v;
    v.number = 3.5f;
    result = result * 1000003 + v.bits + v.bytes[3];
    struct pair q = swapped((struct pair){ 7.75, 42 });
    result = result * 1000003 + (uint64_t)q.first + (uint64_t)q.second;
    for (int i = 0; i < 3; i++) {
        struct mixed m = table[i];
        m.at = moved(m.at, i);
        table[i] = m;
        result = result * 1000003 + m.tag + (uint64_t)(m.weight * 8) + m.small[i] + (uint32_t)m.at.x;
    }
    struct anonymous a = { 1, { .f = 1.0f } };
    result = result * 1000003 + (uint32_t)a.i;
    return result;
}
