/* ctype.h in the C locale.
 *
 * The functions are comparisons without a branch: they fork nothing, and the
 * condition the caller branches on is one the solver likes. The macros of
 * glibc's header read tables instead, so the tables are here too. The functions
 * return what the tables hold, as glibc's do. */
#include "internal.h"

/* The bits of glibc's table on a little-endian machine. */
enum {
    UPPER = 1 << 8,
    LOWER = 1 << 9,
    ALPHA = 1 << 10,
    DIGIT = 1 << 11,
    XDIGIT = 1 << 12,
    SPACE = 1 << 13,
    PRINT = 1 << 14,
    GRAPH = 1 << 15,
    BLANK = 1 << 0,
    CNTRL = 1 << 1,
    PUNCT = 1 << 2,
    ALNUM = 1 << 3,
};

/* What characters of one sort have in common. */
enum {
    C = CNTRL,
    S = CNTRL | SPACE,
    T = CNTRL | SPACE | BLANK,
    B = SPACE | PRINT | BLANK,
    P = PRINT | GRAPH | PUNCT,
    D = DIGIT | XDIGIT | PRINT | GRAPH | ALNUM,
    U = UPPER | ALPHA | PRINT | GRAPH | ALNUM,
    L = LOWER | ALPHA | PRINT | GRAPH | ALNUM,
    X = U | XDIGIT,
    Y = L | XDIGIT,
};

/* For -128 to 255; below 0 and above 127 there is nothing in the C locale. */
static const unsigned short classes[384] = {
    [128] = /* 0x00 */ C, C, C, C, C, C, C, C, C, T, S, S, S, S, C, C,
    /* 0x10 */ C, C, C, C, C, C, C, C, C, C, C, C, C, C, C, C,
    /* 0x20 */ B, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P,
    /* 0x30 */ D, D, D, D, D, D, D, D, D, D, P, P, P, P, P, P,
    /* 0x40 */ P, X, X, X, X, X, X, U, U, U, U, U, U, U, U, U,
    /* 0x50 */ U, U, U, U, U, U, U, U, U, U, U, P, P, P, P, P,
    /* 0x60 */ P, Y, Y, Y, Y, Y, Y, L, L, L, L, L, L, L, L, L,
    /* 0x70 */ L, L, L, L, L, L, L, L, L, L, L, P, P, P, P, C,
};

#define FOUR(c) (c), (c) + 1, (c) + 2, (c) + 3
#define SIXTEEN(c) FOUR(c), FOUR((c) + 4), FOUR((c) + 8), FOUR((c) + 12)
#define LETTERS(c) SIXTEEN(c), FOUR((c) + 16), FOUR((c) + 20), (c) + 24, (c) + 25
#define HALF                                                                                       \
    SIXTEEN(0x80), SIXTEEN(0x90), SIXTEEN(0xa0), SIXTEEN(0xb0), SIXTEEN(0xc0), SIXTEEN(0xd0),      \
        SIXTEEN(0xe0)
/* Below 0 as above 127, except that EOF stays itself. */
#define MAPPING(capitals, smalls)                                                                  \
    {                                                                                              \
        HALF, FOUR(0xf0), FOUR(0xf4), FOUR(0xf8), 0xfc, 0xfd, 0xfe, -1,                            \
        SIXTEEN(0), SIXTEEN(16), SIXTEEN(32), SIXTEEN(48), '@', LETTERS(capitals),                 \
        '[', '\\', ']', '^', '_', '`', LETTERS(smalls), '{', '|', '}', '~', 127,                   \
        HALF, SIXTEEN(0xf0),                                                                       \
    }

static const int32_t to_lower[384] = MAPPING('a', 'a');
static const int32_t to_upper[384] = MAPPING('A', 'A');

const unsigned short **__ctype_b_loc(void) {
    static const unsigned short *table = classes + 128;
    return &table;
}

const int32_t **__ctype_tolower_loc(void) {
    static const int32_t *table = to_lower + 128;
    return &table;
}

const int32_t **__ctype_toupper_loc(void) {
    static const int32_t *table = to_upper + 128;
    return &table;
}

/* Whether c lies in [first, last], as 0 or 1. */
static unsigned in(int c, int first, int last) {
    return (unsigned)c - (unsigned)first <= (unsigned)last - (unsigned)first;
}

static unsigned letter(int c) {
    return in(c | 32, 'a', 'z');
}

int isupper(int c) {
    return (int)(in(c, 'A', 'Z') * UPPER);
}

int islower(int c) {
    return (int)(in(c, 'a', 'z') * LOWER);
}

int isalpha(int c) {
    return (int)(letter(c) * ALPHA);
}

int isdigit(int c) {
    return (int)(in(c, '0', '9') * DIGIT);
}

int isxdigit(int c) {
    return (int)((in(c, '0', '9') | in(c | 32, 'a', 'f')) * XDIGIT);
}

int isspace(int c) {
    return (int)(((c == ' ') | in(c, '\t', '\r')) * SPACE);
}

int isprint(int c) {
    return (int)(in(c, ' ', '~') * PRINT);
}

int isgraph(int c) {
    return (int)(in(c, '!', '~') * GRAPH);
}

int isblank(int c) {
    return (int)(((unsigned)(c == ' ') | (c == '\t')) * BLANK);
}

int iscntrl(int c) {
    return (int)((in(c, 0, 31) | (c == 127)) * CNTRL);
}

int ispunct(int c) {
    return (int)((in(c, '!', '~') & ~(letter(c) | in(c, '0', '9'))) * PUNCT);
}

int isalnum(int c) {
    return (int)((letter(c) | in(c, '0', '9')) * ALNUM);
}

int isascii(int c) {
    return in(c, 0, 127) != 0;
}

int toascii(int c) {
    return c & 127;
}

int tolower(int c) {
    return c + (int)(in(c, 'A', 'Z') * 32);
}

int toupper(int c) {
    return c - (int)(in(c, 'a', 'z') * 32);
}

int _tolower(int c) {
    return tolower(c);
}

int _toupper(int c) {
    return toupper(c);
}
