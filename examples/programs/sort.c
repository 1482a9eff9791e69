/* sort: puts the lines of files in order.
 *
 *   everypath run sort.c --sym-args 0 2 3 --sym-files 1 2 --sym-stdin 5
 *
 *   -b  blanks at the start do not count    -n  compares as numbers
 *   -c  only checks                         -r  the other way round
 *   -f  capitals count as small letters     -u  one of each
 *   -k FIELD, -t CHARACTER  compares from a field on, which this character ends
 */
#include <ctype.h>
#include <err.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct line {
    char *text;
    size_t place; /* where it was read: what is equal stays in order */
};

struct lines {
    struct line *all;
    size_t used;
    size_t room;
};

static struct {
    bool blanks;
    bool check;
    bool fold;
    bool numbers;
    bool reverse;
    bool unique;
    int field;
    int separator; /* 0: a field ends before blanks */
} options;

static void add(struct lines *lines, char *text) {
    if (lines->used == lines->room) {
        lines->room = lines->room ? lines->room * 2 : 4;
#ifdef BUG_1 /* out-of-bounds-write */
        size_t bytes = lines->room / 2 * sizeof *lines->all;
#else
        size_t bytes = lines->room * sizeof *lines->all;
#endif
        lines->all = realloc(lines->all, bytes);
        if (!lines->all)
            err(2, "%zu lines", lines->room);
    }
    lines->all[lines->used] = (struct line){text, lines->used};
    lines->used++;
}

/* Reads a file to its end; the last line may lack its newline. */
static void read_lines(struct lines *lines, FILE *file, const char *name) {
    char *text = NULL;
    size_t room = 0;
    ssize_t length;
    while ((length = getline(&text, &room, file)) >= 0) {
        if (length > 0 && text[length - 1] == '\n')
            text[length - 1] = '\0';
        add(lines, text);
        text = NULL;
        room = 0;
    }
    free(text);
    if (ferror(file))
        err(2, "%s", name);
}

static void read_file(struct lines *lines, const char *name) {
    if (strcmp(name, "-") == 0) {
        read_lines(lines, stdin, "standard input");
        return;
    }
    FILE *file = fopen(name, "r");
    if (!file)
        err(2, "%s", name);
    read_lines(lines, file, name);
    fclose(file);
}

static const char *skip_blanks(const char *text) {
    while (*text == ' ' || *text == '\t')
        text++;
    return text;
}

static const char *skip_field(const char *text) {
    if (options.separator) {
        while (*text && *text != (char)options.separator)
            text++;
        return *text ? text + 1 : text;
    }
    text = skip_blanks(text);
    while (*text && *text != ' ' && *text != '\t')
        text++;
    return text;
}

/* Where comparing begins. */
static const char *key(const char *text) {
    for (int i = 1; i < options.field; i++)
        text = skip_field(text);
    if (options.blanks || options.numbers)
        text = skip_blanks(text);
    return text;
}

static int compare_digits(const char *a, size_t a_length, const char *b, size_t b_length) {
    if (a_length != b_length)
        return a_length < b_length ? -1 : 1;
    return memcmp(a, b, a_length);
}

/* Numbers of any length, without their value: a sign, digits. No digits are 0. */
static int compare_numbers(const char *a, const char *b) {
    bool a_negative = *a == '-';
    bool b_negative = *b == '-';
    a += a_negative;
    b += b_negative;
    while (*a == '0')
        a++;
    while (*b == '0')
        b++;
    size_t a_length = strspn(a, "0123456789");
    size_t b_length = strspn(b, "0123456789");
    if (a_length == 0 && b_length == 0)
        return 0;
    if (a_length == 0)
        a_negative = !b_negative;
    if (b_length == 0)
        b_negative = !a_negative;
    if (a_negative != b_negative)
        return a_negative ? -1 : 1;
    int order = compare_digits(a, a_length, b, b_length);
    return a_negative ? -order : order;
}

static int compare_folded(const char *a, const char *b) {
    while (*a && toupper((unsigned char)*a) == toupper((unsigned char)*b)) {
        a++;
        b++;
    }
    return toupper((unsigned char)*a) - toupper((unsigned char)*b);
}

static int compare_keys(const char *a, const char *b) {
    int order;
    if (options.numbers)
        order = compare_numbers(key(a), key(b));
    else if (options.fold)
        order = compare_folded(key(a), key(b));
    else
        order = strcmp(key(a), key(b));
    return options.reverse ? -order : order;
}

static int compare(const struct line *a, const struct line *b) {
    int order = compare_keys(a->text, b->text);
    if (order != 0)
        return order;
    return a->place < b->place ? -1 : 1;
}

/* Bottom-up merge sort: no recursion, and equal lines keep their order. */
static void merge(struct line *to, struct line *a, size_t a_count, struct line *b, size_t b_count) {
    while (a_count && b_count) {
        if (compare(a, b) <= 0) {
            *to++ = *a++;
            a_count--;
        } else {
            *to++ = *b++;
            b_count--;
        }
    }
    memcpy(to, a, a_count * sizeof *a);
    memcpy(to + a_count, b, b_count * sizeof *b);
}

static void sort(struct lines *lines) {
    struct line *other = malloc(lines->used * sizeof *other + 1);
    if (!other)
        err(2, "%zu lines", lines->used);
    for (size_t run = 1; run < lines->used; run *= 2) {
        for (size_t at = 0; at < lines->used; at += 2 * run) {
            size_t left = lines->used - at;
            size_t a = left < run ? left : run;
            size_t b = left - a < run ? left - a : run;
            merge(other + at, lines->all + at, a, lines->all + at + a, b);
        }
        struct line *swap = lines->all;
        lines->all = other;
        other = swap;
    }
    free(other);
}

/* -c: whether a line comes before one that was read earlier. */
static int check(const struct lines *lines) {
    for (size_t i = 1; i < lines->used; i++) {
        int order = compare_keys(lines->all[i - 1].text, lines->all[i].text);
        if (order > 0 || (order == 0 && options.unique)) {
            warnx("line %zu is out of order: %s", i + 1, lines->all[i].text);
            return 1;
        }
    }
    return 0;
}

static void print(const struct lines *lines) {
    for (size_t i = 0; i < lines->used; i++) {
        const char *text = lines->all[i].text;
#ifdef BUG_2 /* out-of-bounds-read */
        bool same = options.unique && compare_keys(lines->all[i - 1].text, text) == 0;
#else
        bool same = options.unique && i > 0 && compare_keys(lines->all[i - 1].text, text) == 0;
#endif
        if (!same)
            puts(text);
    }
}

static void release(struct lines *lines) {
    for (size_t i = 0; i < lines->used; i++)
        free(lines->all[i].text);
    free(lines->all);
}

static void set_option(int option) {
    switch (option) {
    case 'b':
        options.blanks = true;
        break;
    case 'c':
        options.check = true;
        break;
    case 'f':
        options.fold = true;
        break;
    case 'n':
        options.numbers = true;
        break;
    case 'r':
        options.reverse = true;
        break;
    case 'u':
        options.unique = true;
        break;
    case 'k':
        options.field = atoi(optarg);
        if (options.field < 1)
            errx(2, "fields are counted from 1: %s", optarg);
        break;
    case 't':
        options.separator = (unsigned char)*optarg;
        break;
    default:
        errx(2, "usage: sort [-bcfnru] [-k field] [-t character] [file ...]");
    }
}

int main(int argc, char **argv) {
    int option;
    while ((option = getopt(argc, argv, "bcfnruk:t:")) != -1)
        set_option(option);
    struct lines lines = {0};
    if (optind == argc)
        read_lines(&lines, stdin, "standard input");
    for (int i = optind; i < argc; i++)
        read_file(&lines, argv[i]);
    int status = 0;
    if (options.check) {
        status = check(&lines);
    } else {
        sort(&lines);
        print(&lines);
    }
    release(&lines);
    return status;
}
