/* stdlib.h against glibc: integers out of text, arithmetic, sorting, searching,
 * random numbers, the environment and the order of things at exit. */
#define _GNU_SOURCE
#include "harness.h"
#include <inttypes.h>

OURS(strtol);
OURS(strtoul);
OURS(strtoll);
OURS(strtoull);
OURS(strtoimax);
OURS(strtoumax);
OURS(atoi);
OURS(atol);
OURS(atoll);
OURS(abs);
OURS(labs);
OURS(llabs);
OURS(imaxabs);
OURS(div);
OURS(ldiv);
OURS(lldiv);
OURS(imaxdiv);
OURS(qsort);
OURS(qsort_r);
OURS(bsearch);
OURS(rand);
OURS(srand);
OURS(rand_r);
OURS(random);
OURS(srandom);
OURS(getenv);
OURS(atexit);
OURS(on_exit);
OURS(at_quick_exit);
OURS(quick_exit);
OURS(_Exit);
OURS(exit);
OURS(abort);
extern char **ours_environ;
int ours___cxa_atexit(void (*)(void *), void *, void *);
_Noreturn void ours___assert_fail(const char *, const char *, unsigned, const char *);

static void any_number_text(char *s) {
    static const char *const starts[] = {"", " ", "\t\n ", "-", "+", " -", "--", "+-", "x"};
    static const char *const prefixes[] = {"", "", "", "0", "0x", "0X", "0b", "0xg", "00"};
    static const char digits[] = "0123456789abcdefghzABFZ_ .";
    strcpy(s, starts[below(9)]);
    strcat(s, prefixes[below(9)]);
    unsigned kinds = below(2) ? 10 : sizeof digits - 1, length = below(below(4) ? 6 : 25);
    char *end = s + strlen(s);
    for (unsigned i = 0; i < length; i++)
        *end++ = digits[below(kinds)];
    *end = 0;
    if (below(8) == 0) {
        static const char *const borders[] = {"9223372036854775807", "-9223372036854775808",
                                              "9223372036854775808", "18446744073709551615",
                                              "18446744073709551616", "-18446744073709551615",
                                              "-9223372036854775809", "0x7fffffffffffffff"};
        strcpy(s, borders[below(8)]);
    }
}

#define SAME(function, format, s, base)                                                            \
    do {                                                                                           \
        char *our_end = NULL, *end = NULL;                                                         \
        errno = ours_errno = 0;                                                                    \
        __typeof__(function(s, &end, base)) ours = ours_##function(s, &our_end, base);             \
        __typeof__(ours) theirs = function(s, &end, base);                                         \
        CHECK(ours == theirs && our_end == end && ours_errno == errno,                             \
              #function "(\"%s\", %d): " format " " format " ends %td %td errno %d %d", s, base,   \
              ours, theirs, our_end - s, end - s, ours_errno, errno);                              \
    } while (0)

static void compare_integers(void) {
    for (int round = 0; round < 100000; round++) {
        char s[64];
        any_number_text(s);
        static const int bases[] = {0, 2, 8, 10, 10, 16, 36, 7, 1, -1, 37};
        int base = bases[below(11)];
        SAME(strtol, "%ld", s, base);
        SAME(strtoll, "%lld", s, base);
        SAME(strtoul, "%lu", s, base);
        SAME(strtoull, "%llu", s, base);
        SAME(strtoimax, "%ld", s, base);
        SAME(strtoumax, "%lu", s, base);
        CHECK(ours_atoi(s) == atoi(s), "%s", s);
        CHECK(ours_atol(s) == atol(s), "%s", s);
        CHECK(ours_atoll(s) == atoll(s), "%s", s);
        CHECK(ours_strtol(s, NULL, 10) == strtol(s, NULL, 10), "%s", s);
    }
}

static void compare_arithmetic(void) {
    for (int round = 0; round < 10000; round++) {
        long x = (long)any_integer(), y = (long)any_integer();
        CHECK(ours_abs((int)x) == abs((int)x), "%ld", x);
        CHECK(ours_labs(x) == labs(x), "%ld", x);
        CHECK(ours_llabs(x) == llabs(x), "%ld", x);
        CHECK(ours_imaxabs(x) == imaxabs(x), "%ld", x);
        if (y == 0 || y == -1 || (int)y == 0 || (int)y == -1)
            continue;
        div_t small = div((int)x, (int)y), our_small = ours_div((int)x, (int)y);
        CHECK(small.quot == our_small.quot && small.rem == our_small.rem, "%ld %ld", x, y);
        ldiv_t large = ldiv(x, y), our_large = ours_ldiv(x, y);
        CHECK(large.quot == our_large.quot && large.rem == our_large.rem, "%ld %ld", x, y);
        lldiv_t longer = ours_lldiv(x, y);
        imaxdiv_t largest = ours_imaxdiv(x, y);
        CHECK(longer.quot == large.quot && longer.rem == large.rem, "%ld %ld", x, y);
        CHECK(largest.quot == large.quot && largest.rem == large.rem, "%ld %ld", x, y);
    }
}

/* Elements that are equal to the comparison and still differ. */
struct element {
    int key;
    int order;
    char padding[5];
};

static int by_key(const void *left, const void *right) {
    const struct element *a = left, *b = right;
    return (a->key > b->key) - (a->key < b->key);
}

static int by_key_downwards(const void *left, const void *right, void *context) {
    ++*(long *)context;
    return by_key(right, left);
}

static int by_byte(const void *left, const void *right) {
    return *(const unsigned char *)left - *(const unsigned char *)right;
}

static void compare_sorting(void) {
    static struct element ours[3000], theirs[3000];
    for (int round = 0; round < 600; round++) {
        unsigned count = round % 50 ? below(70) : below(3000), kinds = 1 + below(2 * count + 1);
        for (unsigned i = 0; i < count; i++)
            ours[i] = (struct element){(int)below(kinds), (int)i, "abcd"};
        memcpy(theirs, ours, sizeof ours);
        ours_qsort(ours, count, sizeof *ours, by_key);
        qsort(theirs, count, sizeof *theirs, by_key);
        CHECK(memcmp(ours, theirs, count * sizeof *ours) == 0, "%u elements", count);
        for (unsigned i = 0; i < 5 && count; i++) {
            struct element key = {(int)below(kinds), 0, ""};
            struct element *found = ours_bsearch(&key, ours, count, sizeof *ours, by_key);
            int is_there = bsearch(&key, theirs, count, sizeof *theirs, by_key) != NULL;
            CHECK((found != NULL) == is_there && (!found || found->key == key.key), "%d", key.key);
        }
        long comparisons = 0, their_comparisons = 0;
        ours_qsort_r(ours, count, sizeof *ours, by_key_downwards, &comparisons);
        qsort_r(theirs, count, sizeof *theirs, by_key_downwards, &their_comparisons);
        CHECK(memcmp(ours, theirs, count * sizeof *ours) == 0, "%u elements", count);
        CHECK(comparisons <= 2 * their_comparisons + 20, "%u elements: %ld, glibc %ld", count,
              comparisons, their_comparisons);
        unsigned char bytes[256], their_bytes[256];
        for (unsigned i = 0; i < 256; i++)
            bytes[i] = their_bytes[i] = (unsigned char)any();
        ours_qsort(bytes, count % 256, 1, by_byte);
        qsort(their_bytes, count % 256, 1, by_byte);
        CHECK(memcmp(bytes, their_bytes, 256) == 0, "%u bytes", count);
    }
}

static void compare_random_numbers(void) {
    for (int i = 0; i < 100; i++)
        CHECK(ours_rand() == rand(), "unseeded %d", i);
    for (int round = 0; round < 200; round++) {
        unsigned seed = (unsigned)any_integer(), seed_r = seed, our_seed_r = seed;
        ours_srand(seed);
        srand(seed);
        for (int i = 0; i < 100; i++) {
            CHECK(ours_rand() == rand(), "seed %u", seed);
            CHECK(ours_rand_r(&our_seed_r) == rand_r(&seed_r), "seed %u", seed);
        }
        ours_srandom(seed);
        srandom(seed);
        CHECK(ours_random() == random(), "seed %u", seed);
    }
}

static void check_environment(void) {
    char *entries[] = {"A=1", "AB=2", "C", "D=", NULL};
    CHECK(ours_getenv("A") == NULL, "the environment is empty at first");
    ours_environ = entries;
    CHECK(strcmp(ours_getenv("A"), "1") == 0, "A");
    CHECK(strcmp(ours_getenv("AB"), "2") == 0, "AB");
    CHECK(ours_getenv("C") == NULL && ours_getenv("B") == NULL, "C, B");
    CHECK(*ours_getenv("D") == 0, "D");
}

static char steps[512];
static void first(void) { strcat(steps, "first "); }
static void second(void) { strcat(steps, "second "); }
static void late(void) { strcat(steps, "late "); }
static void adds_one(void) {
    strcat(steps, "adds ");
    ours_atexit(late);
}
static void destroys(void *object) { strcat(steps, object); }
static void sees_status(int status, void *argument) {
    sprintf(steps + strlen(steps), "%d%s", status, (char *)argument);
}

/* How the program ends when it does this. */
#define END(action)                                                                                \
    (setjmp(at_end) ? end_of_program : ((action), "it went on"))

static void check_ends(void) {
    ours_atexit(first);
    ours___cxa_atexit(destroys, "object ", NULL);
    ours_atexit(adds_one);
    ours_on_exit(sees_status, "! ");
    ours_at_quick_exit(first);
    ours_at_quick_exit(second);
    for (int i = 0; i < 40; i++)
        ours_atexit(i ? second : late);
    const char *end = END(ours_exit(3));
    CHECK(strcmp(end, "exit 3") == 0, "%s", end);
    char expected[512] = "";
    for (int i = 39; i >= 0; i--)
        strcat(expected, i ? "second " : "late ");
    strcat(expected, "3! adds late object first ");
    CHECK(strcmp(steps, expected) == 0, "%s", steps);
    steps[0] = 0;
    CHECK(strcmp(END(ours_quick_exit(4)), "exit 4") == 0, "%s", end_of_program);
    CHECK(strcmp(steps, "second first ") == 0, "%s", steps);
    CHECK(strcmp(END(ours__Exit(5)), "exit 5") == 0, "%s", end_of_program);
    CHECK(strcmp(END(ours_abort()), "abort") == 0, "%s", end_of_program);
    CHECK(strcmp(END(ours___assert_fail("x > 0", "a.c", 7, "f")), "a.c:7: f: x > 0") == 0, "%s",
          end_of_program);
}

int main(void) {
    compare_integers();
    compare_arithmetic();
    compare_sorting();
    compare_random_numbers();
    check_environment();
    check_ends();
    return finish();
}
