/* tr: replaces, deletes and squeezes characters of standard input.
 *
 *   everypath run tr.c --sym-args 1 3 5 --sym-stdin 2
 *
 *   tr a-z A-Z           replaces by position; a short second set repeats its last character
 *   tr -d SET            deletes
 *   tr -s SET [SET]      squeezes repeated characters of the last set to one
 *   -c                   the first set is what is not in it
 *
 * In sets: ranges a-z, classes [:digit:], repetitions [x*3], escapes \n \\ \101
 */
#include <ctype.h>
#include <err.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CHARACTERS = 256, MOST = 1024 };

struct set {
    unsigned char members[MOST];
    int count;
};

static void add(struct set *set, int c) {
    if (set->count == MOST)
        errx(1, "a set has more than %d characters", MOST);
    set->members[set->count++] = (unsigned char)c;
}

static const struct class {
    const char *name;
    int (*holds)(int);
} classes[] = {
    {"alnum", isalnum}, {"alpha", isalpha}, {"digit", isdigit}, {"lower", islower},
    {"print", isprint}, {"punct", ispunct}, {"space", isspace}, {"upper", isupper},
};

static bool add_class(struct set *set, const char *name, size_t length) {
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
        if (strlen(classes[i].name) != length || strncmp(classes[i].name, name, length) != 0)
            continue;
        for (int c = 0; c < CHARACTERS; c++) {
            if (classes[i].holds(c))
                add(set, c);
        }
        return true;
    }
    return false;
}

static bool octal(char c) {
    return c >= '0' && c <= '7';
}

static int escape(const char **at) {
    static const char letters[] = "abfnrtv";
    static const char values[] = "\a\b\f\n\r\t\v";
    if (octal(**at)) {
        int value = 0;
        for (int i = 0; i < 3 && octal(**at); i++)
            value = value * 8 + *(*at)++ - '0';
        return value & 255;
    }
    if (**at == '\0')
        return '\\';
    const char *letter = strchr(letters, **at);
    char plain = *(*at)++;
    return letter ? values[letter - letters] : (unsigned char)plain;
}

static int character(const char **at) {
    char c = *(*at)++;
    return c == '\\' ? escape(at) : (unsigned char)c;
}

/* [:name:]; leaves the text where it is if it is something else. */
static bool class_of(struct set *set, const char **at) {
    if (strncmp(*at, "[:", 2) != 0)
        return false;
    const char *end = strstr(*at + 2, ":]");
    if (!end)
        return false;
    if (!add_class(set, *at + 2, (size_t)(end - *at - 2)))
        errx(1, "there is no class %s", *at);
    *at = end + 2;
    return true;
}

/* [x*3]; [x*] fills up to the length of the first set. */
static bool repetition(struct set *set, const char **at, int wanted) {
    const char *text = *at;
    if (*text++ != '[' || *text == '\0')
        return false;
    int c = character(&text);
    if (*text++ != '*')
        return false;
    int times = 0;
    while (isdigit((unsigned char)*text) && times < MOST)
        times = times * 10 + *text++ - '0';
    if (*text != ']')
        return false;
    if (times == 0)
        times = wanted - set->count;
    for (int i = 0; i < times; i++)
        add(set, c);
    *at = text + 1;
    return true;
}

static void range(struct set *set, int first, int last) {
    if (first > last)
        errx(1, "a range goes down: %c-%c", first, last);
    for (int c = first; c <= last; c++)
        add(set, c);
}

/* `wanted` is how long the set should be, for repetitions without a number. */
static void expand(struct set *set, const char *text, int wanted) {
    while (*text) {
        if (class_of(set, &text) || repetition(set, &text, wanted))
            continue;
        int first = character(&text);
        if (text[0] == '-' && text[1]) {
            text++;
            range(set, first, character(&text));
        } else {
            add(set, first);
        }
    }
}

static bool member[CHARACTERS];
static bool squeezes[CHARACTERS];
static unsigned char map[CHARACTERS];

static void mark(bool *table, const struct set *set) {
    for (int i = 0; i < set->count; i++) {
#ifdef BUG_1 /* out-of-bounds-write */
        table[(signed char)set->members[i]] = true;
#else
        table[set->members[i]] = true;
#endif
    }
}

static void complement(struct set *set) {
    struct set other = {.count = 0};
    bool present[CHARACTERS] = {false};
    mark(present, set);
    for (int c = 0; c < CHARACTERS; c++) {
        if (!present[c])
            add(&other, c);
    }
    *set = other;
}

static void build_map(const struct set *from, const struct set *to) {
    for (int i = 0; i < from->count; i++) {
#ifdef BUG_2 /* out-of-bounds-read */
        int at = to->count > i ? i : to->count - 1;
#else
        if (to->count == 0)
            errx(1, "the second set is empty");
        int at = to->count > i ? i : to->count - 1;
#endif
        map[from->members[i]] = to->members[at];
    }
}

static void translate(bool deletes) {
    int c;
    int last = EOF;
    while ((c = getchar()) != EOF) {
        if (deletes && member[c])
            continue;
        int new = map[c];
        if (new == last && squeezes[new])
            continue;
        putchar(new);
        last = new;
    }
}

static void usage(void) {
    errx(1, "usage: tr [-cs] set set | tr -d [-c] set | tr -s [-c] set | tr -ds [-c] set set");
}

int main(int argc, char **argv) {
    bool complements = false, deletes = false, squeeze = false;
    int option;
    while ((option = getopt(argc, argv, "cds")) != -1) {
        if (option == 'c')
            complements = true;
        else if (option == 'd')
            deletes = true;
        else if (option == 's')
            squeeze = true;
        else
            usage();
    }
    int sets = argc - optind;
    bool one = deletes != squeeze;
    if (sets < 1 || sets > 2 || (sets == 1 && !one) || (sets == 2 && deletes && !squeeze))
        usage();
    static struct set from, to;
    expand(&from, argv[optind], 0);
    if (complements)
        complement(&from);
    for (int c = 0; c < CHARACTERS; c++)
        map[c] = (unsigned char)c;
    if (sets == 2)
        expand(&to, argv[optind + 1], from.count);
    if (deletes)
        mark(member, &from);
    else if (sets == 2)
        build_map(&from, &to);
    if (squeeze)
        mark(squeezes, sets == 2 ? &to : &from);
    translate(deletes);
    return 0;
}
