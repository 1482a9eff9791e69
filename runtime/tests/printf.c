/* The printf family against glibc: random conversions with random arguments,
 * into buffers of random size. */
#define _GNU_SOURCE
#include "harness.h"
#include <wchar.h>

OURS(snprintf);
OURS(vsnprintf);
OURS(sprintf);
OURS(asprintf);
OURS(printf);
OURS(fprintf);
OURS(dprintf);
int ours___sprintf_chk(char *, int, size_t, const char *, ...);
int ours___snprintf_chk(char *, size_t, int, size_t, const char *, ...);
extern FILE *ours_stderr;

enum { ROOM = 6000 };
static char a[ROOM], b[ROOM];

static char format[64];
/* glibc prints 999999.5 by %#g as 1.e+06, where C asks for 1.00000e+06: where
 * rounding makes the number one digit longer, it forgets the zeros. */
static int is_wrong_in_glibc(const char *output) {
    return strchr(format, '#') && strpbrk(format, "gG") && strcasestr(output, "1.e+");
}

/* The same call to both libraries; the whole buffer must agree. */
#define SAME(size, ...)                                                                            \
    do {                                                                                           \
        memset(a, '#', sizeof a);                                                                  \
        memset(b, '#', sizeof b);                                                                  \
        errno = ours_errno = 0;                                                                    \
        int ours = ours_snprintf(a, size, __VA_ARGS__);                                            \
        int theirs = snprintf(b, size, __VA_ARGS__);                                               \
        CHECK((ours == theirs && memcmp(a, b, sizeof a) == 0) || is_wrong_in_glibc(b),             \
              "%s: %d \"%.80s\", glibc %d \"%.80s\"", format, ours, a, theirs, b);                 \
    } while (0)

static void any_conversion(const char *length, char letter) {
    char *at = format;
    if (below(4) == 0)
        *at++ = '<';
    *at++ = '%';
    for (unsigned flags = below(4); flags > 0; flags--)
        *at++ = "-+ #0"[below(5)];
    if (below(3) == 0)
        at += sprintf(at, "%u", below(below(20) ? 30 : 400));
    if (below(2) == 0)
        at += below(6) ? sprintf(at, ".%u", below(below(20) ? 25 : 400)) : sprintf(at, ".");
    at += sprintf(at, "%s%c", length, letter);
    if (below(4) == 0)
        *at++ = '>';
    *at = 0;
}

static unsigned any_size(void) {
    return below(3) ? ROOM : below(40);
}

static void compare_integers(void) {
    static const char *const lengths[] = {"", "hh", "h", "l", "ll", "j", "z", "t"};
    for (int round = 0; round < 100000; round++) {
        unsigned length = below(8), size = any_size();
        any_conversion(lengths[length], "diuoxX"[below(6)]);
        uint64_t value = any_integer();
        if (length < 3)
            SAME(size, format, (int)value);
        else
            SAME(size, format, value);
    }
}

static void compare_doubles(void) {
    for (int round = 0; round < 100000; round++) {
        any_conversion("", "eEfFgGaA"[below(8)]);
        double value = any_double();
        unsigned size = any_size();
        SAME(size, format, value);
    }
}

static long double any_long_double(void) {
    union {
        struct {
            uint64_t mantissa;
            uint16_t exponent;
        } parts;
        long double value;
    } random = {{any() | (uint64_t)1 << 63, (uint16_t)any()}};
    /* Among them numbers near the limits, which have thousands of digits. */
    switch (below(6)) {
    case 0:
        random.parts.exponent = below(2) << 15;
        random.parts.mantissa >>= 1 + below(63);
        return random.value;
    case 1:
        return random.value;
    default:
        return (long double)any_double() / (below(2) ? 3 : 1);
    }
}

static void compare_long_doubles(void) {
    for (int round = 0; round < 4000; round++) {
        any_conversion("L", "eEfFgGaA"[below(8)]);
        long double value = any_long_double();
        unsigned size = any_size();
        SAME(size, format, value);
    }
}

static void compare_text(void) {
    for (int round = 0; round < 20000; round++) {
        char s[40];
        wchar_t w[40];
        unsigned length = below(39);
        for (unsigned i = 0; i < length; i++)
            w[i] = s[i] = (char)(' ' + below(95));
        w[length] = s[length] = 0;
        unsigned size = any_size();
        void *pointer = (void *)(below(4) ? any_integer() : 0);
        any_conversion("", 's');
        SAME(size, format, s);
        SAME(size, format, (char *)NULL);
        any_conversion("l", 's');
        SAME(size, format, w);
        any_conversion("", 'c');
        SAME(size, format, s[0]);
        any_conversion("", 'p');
        SAME(size, format, pointer);
    }
}

static void compare_whole_formats(void) {
    strcpy(format, "several");
    SAME(ROOM, "%d %s %c %5.2f%% %lx|%-8s|%+d|%08.3f\n", -1, "two", '3', 4.0, 5ul, "six", 7, 8.5);
    SAME(ROOM, "%*d|%-*d|%*d|%.*f|%.*s", 5, 1, 6, 2, -7, 3, 2, 1.005, -1, "all");
    SAME(ROOM, "%d%d%d%d%d%d%d%d%d%d", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
    SAME(ROOM, "%f%f%f%f%f%f%f%f%f%f%d", 1., 2., 3., 4., 5., 6., 7., 8., 9., 10., 11);
    SAME(ROOM, "%Lf%d%f%Lf", 1.L, 2, 3., 4.L);
    SAME(ROOM, "%lc%C%S", L'x', L'y', L"z");
    SAME(ROOM, "100%% %k");
    SAME(ROOM, "abc%5");
    SAME(ROOM, "%lc", (wint_t)0xe4);
    CHECK(ours_snprintf(a, ROOM, "%#g", 999999.5) == 11 && strcmp(a, "1.00000e+06") == 0, "%s", a);
    SAME(ROOM, "%99999999999d", 1);
    SAME(ROOM, "%.99999999999d", 1);
    errno = ours_errno = ENOENT;
    CHECK(ours_snprintf(a, ROOM, "%m|%-30m|") == snprintf(b, ROOM, "%m|%-30m|"), "%%m");
    CHECK(strcmp(a, b) == 0, "%s", a);
    CHECK(ours_snprintf(NULL, 0, "%d", 12345) == 5, "a size of 0 writes nothing");
    CHECK(ours_sprintf(a, "%s", "x") == 1 && strcmp(a, "x") == 0, "sprintf");
    char *allocated;
    CHECK(ours_asprintf(&allocated, "%0300d", 1) == 300 && strlen(allocated) == 300, "asprintf");
    free(allocated);
}

static void check_binary(void) {
    CHECK(ours_snprintf(a, ROOM, "%b|%#b|%#B|%08b|%lb", 5, 5, 5, 5, -1L) == 89, "%s", a);
    CHECK(strncmp(a, "101|0b101|0B101|00000101|1111", 29) == 0, "%s", a);
}

static void check_streams(void) {
    written_count = 0;
    CHECK(ours_printf("%d %s\n", 12, "abc") == 7 && written_fd == 1, "printf");
    CHECK(ours_fprintf(ours_stderr, "%600d|", 5) == 601 && written_fd == 2, "fprintf");
    CHECK(ours_dprintf(2, "%c", 'x') == 1 && written_fd == 2, "dprintf");
    snprintf(a, ROOM, "12 abc\n%600d|x", 5);
    CHECK(written_count == strlen(a) && memcmp(written, a, written_count) == 0, "%s", written);
}

/* How the program ends when it does this. */
#define END(action)                                                                                \
    (setjmp(at_end) ? end_of_program : ((action), "it went on"))

static void check_refusals(void) {
    int count = 0;
    char small[4];
    CHECK(strcmp(END(ours_snprintf(a, ROOM, "x%n", &count)), "it went on") == 0 && count == 1,
          "%s", end_of_program);
    CHECK(strcmp(END(ours_snprintf(a, ROOM, "%1$d", 1)),
                 "unsupported: numbered arguments in a printf format") == 0, "%s", end_of_program);
    CHECK(strcmp(END(ours___sprintf_chk(small, 1, 4, "%d", 1000)), "abort") == 0, "%s",
          end_of_program);
    CHECK(strcmp(END(ours___sprintf_chk(small, 1, 4, "%d", 100)), "it went on") == 0, "%s",
          end_of_program);
    CHECK(strcmp(END(ours___snprintf_chk(small, 5, 1, 4, "%d", 1)), "abort") == 0, "%s",
          end_of_program);
}

int main(void) {
    compare_integers();
    compare_doubles();
    compare_long_doubles();
    compare_text();
    compare_whole_formats();
    check_binary();
    check_streams();
    check_refusals();
    return finish();
}
