/* strtod(), strtof(), strtold() against glibc: bits, end and errno. */
#define _GNU_SOURCE
#include "harness.h"

OURS(strtod);
OURS(strtof);
OURS(strtold);
OURS(atof);

#define SAME(function, type, size, s)                                                              \
    do {                                                                                           \
        char *our_end = NULL, *end = NULL;                                                         \
        errno = ours_errno = 0;                                                                    \
        type ours = ours_##function(s, &our_end);                                                  \
        type theirs = function(s, &end);                                                           \
        int is_same = memcmp(&ours, &theirs, size) == 0 || (ours != ours && theirs != theirs);     \
        CHECK(is_same && our_end == end && ours_errno == errno,                                    \
              #function "(\"%.60s\"): %La, glibc %La; ends %td %td, errno %d %d", s,               \
              (long double)ours, (long double)theirs, our_end - s, end - s, ours_errno, errno);    \
    } while (0)

static void compare(const char *s) {
    SAME(strtod, double, 8, s);
    SAME(strtof, float, 4, s);
    CHECK(ours_atof(s) == atof(s) || atof(s) != atof(s), "%s", s);
}

static void compare_long(const char *s) {
    SAME(strtold, long double, 10, s);
}

/* Numbers written in every style, with too few and too many digits. */
static void compare_written_numbers(void) {
    for (int round = 0; round < 60000; round++) {
        char s[2000], form[16];
        sprintf(form, "%%.%u%c", below(below(10) ? 25 : 800), "efg"[below(3)]);
        sprintf(s, form, any_double());
        compare(s);
        if (round % 10 == 0)
            compare_long(s);
        float single = (float)any_double();
        sprintf(s, form, single);
        SAME(strtof, float, 4, s);
        sprintf(s, "%.*a", (int)below(16), any_double());
        SAME(strtod, double, 8, s);
        compare_long(s);
        /* These are exact in double; glibc 2.36 rounds a few of them the
         * wrong way to a subnormal float, so the processor is asked instead. */
        float expected = (float)strtod(s, NULL), ours = ours_strtof(s, NULL);
        CHECK(memcmp(&ours, &expected, 4) == 0 || expected != expected, "%s: %a %a", s, ours,
              expected);
    }
}

/* Numbers in the very middle of two others, and a little beside it. */
static void compare_halves(void) {
    for (int round = 0; round < 5000; round++) {
        char s[2000];
        union {
            uint64_t bits;
            double value;
        } number = {any() >> 1};
        if (below(2))
            number.bits &= (uint64_t)0xf << below(60);
        double next = number.value;
        ++number.bits;
        long double middle = ((long double)next + (long double)number.value) / 2;
        sprintf(s, "%.1200Lf", middle);
        if (strlen(s) > 1900 || *s == 'n' || *s == 'i')
            continue;
        compare(s);
        strcat(s, "1");
        compare(s);
        for (char *at = s + strlen(s) - 2; at > s; at--)
            if (*at > '0' && *at <= '9') {
                --*at;
                break;
            }
        compare(s);
        float single = (float)(below(2000) + 1) / (float)(1 << below(20));
        sprintf(s, "%.60f", (double)single + (double)single / (1 << 24));
        SAME(strtof, float, 4, s);
    }
}

static void compare_spellings(void) {
    static const char *const texts[] = {
        "", " ", "-", "+", ".", "-.", "e5", ".e5", "0", "-0", "+0", "00.00", "0e999999999999",
        "1", " \t\n1", "1e", "1e+", "1e-", "1e5x", "1.e5", ".5", "-.5e-1", "1..2", "1.2.3", "1e5.5",
        "inf", "-INF", "infinity", "InFiNiTyx", "infinit", "in", "nan", "-nan", "NaN()",
        "nan(12_z)", "nan(", "nan(-)", "na", "0x", "0x.", "0x1", "0X1P+3", "0x1p", "0x1p-", "0x.8",
        "0x1.8p1", "0xg", "0x1.fffffffffffff8p0", "0x1.fffffffffffff7p0", "0x1.00000000000008p0",
        "0x1.000000000000080000001p0", "0x1p-1074", "0x1p-1075", "0x1.8p-1075", "0x1.1p-1075",
        "0x0.fffffffffffff8p-1022", "0x0.fffffffffffffcp-1022", "0x1.fffffffffffff7p-1023",
        "0x1.fffffffffffff8p-1023", "0x1.ffffffffffffefp-1023", "0x1p1023", "0x1p1024",
        "0x1.fffffffffffff7p1023", "0x1.fffffffffffff8p1023", "0x1p99999999999",
        "0x1p-99999999999",
        "0x10000000000000000000000000000000p-100", "0x0.00000000000000000000000000001p100",
        "0x1.fffffeffp0", "0x1.fffffe8p-127", "0x1.ffffffp-127", "0x1p-149", "0x1p-150",
        "0x1.8p-150", "1e400", "-1e400", "1e-400", "-1e-400", "1e999999999999999999999",
        "1e-999999999999999999999", "1.7976931348623158e308", "1.7976931348623159e308",
        "2.2250738585072011e-308", "2.2250738585072012e-308", "2.2250738585072014e-308",
        "4.9406564584124654e-324", "2.4703282292062327e-324", "2.4703282292062328e-324",
        "3.4028235677973366e38", "3.4028235677973362e38", "1.17549429e-38", "1.17549435e-38",
        "1.4e-45", "7e-46", "7.1e-46", "9007199254740993", "9007199254740992.5", "9007199254740995",
        "16777217", "16777219", "33554435", "0.1", "123456789012345678901234567890",
        "0.000000000000000000000000000000000000000000000000000000000000000000000000000000000001",
        "8.5e22", "1e22", "1e23", "9.5367431640625e-7", "5e-324", "1e-323", "0x1p16383",
        "1.189731495357231765e4932", "1.18973149535723177e4932", "3.6e-4951", "1.8e-4951",
        "1.9e-4951", "3.3621031431120935063e-4932", "0x1p-16445", "0x1p-16446", "0x1.8p-16446",
        "0x1.fffffffffffffffep-16383", "0x1.ffffffffffffffffp-16383", "0xf.fffffffffffffff8p0",
        "0xf.fffffffffffffff80000001p0", "0xf.fffffffffffffff7p0"};
    for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
        compare(texts[i]);
        compare_long(texts[i]);
    }
    /* A digit far behind decides. */
    char s[20000];
    strcpy(s, "9007199254740993.");
    memset(s + strlen(s), '0', 15000);
    strcpy(s + 15000, "1");
    compare(s);
    compare_long(s);
    strcpy(s, "0.");
    memset(s + 2, '0', 15000);
    strcpy(s + 15000, "1e14999");
    compare(s);
    compare_long(s);
}

static void compare_long_numbers(void) {
    for (int round = 0; round < 1500; round++) {
        char s[20000];
        union {
            struct {
                uint64_t mantissa;
                uint16_t exponent;
            } parts;
            long double value;
        } number = {{any() | (uint64_t)1 << 63, (uint16_t)(any() % 0x7fff)}};
        if (below(8) == 0) {
            number.parts.exponent = 0;
            number.parts.mantissa >>= 1 + below(60);
        }
        sprintf(s, "%.*Le", (int)below(below(8) ? 40 : 15000), number.value);
        compare_long(s);
    }
}

int main(void) {
    compare_spellings();
    compare_written_numbers();
    compare_halves();
    compare_long_numbers();
    return finish();
}
