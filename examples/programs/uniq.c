/* uniq: leaves out lines that repeat the one before.
 *
 *   everypath run uniq.c --sym-args 0 2 3 --sym-files 1 4 --sym-stdin 5
 *
 *   -c  with counts             -f N  the first N fields do not count
 *   -d  only repeated lines     -s N  nor do N characters after them
 *   -u  only single lines       -w N  only N characters count
 *   -i  capitals are small letters
 */
#include <ctype.h>
#include <err.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct {
    bool counts;
    bool repeated;
    bool single;
    bool fold;
    long fields;
    long characters;
    long width; /* LONG_MAX: the whole line */
} options = {.width = LONG_MAX};

/* A line that grows as it is read; it may hold zero bytes. */
struct line {
    char *text;
    size_t length;
    size_t room;
};

static void append(struct line *line, char c) {
    if (line->length == line->room) {
        size_t room = line->room ? 2 * line->room : 4;
        char *text = realloc(line->text, room);
        if (!text)
            err(1, "a line of %zu bytes", room);
        line->text = text;
        line->room = room;
    }
#ifdef BUG_1 /* out-of-bounds-write */
    line->text[++line->length] = c;
#else
    line->text[line->length++] = c;
#endif
}

/* Reads a line without its newline; false if there is none. */
static bool read_line(struct line *line, FILE *file) {
    int c;
    line->length = 0;
    while ((c = getc(file)) != EOF && c != '\n')
        append(line, (char)c);
    return c != EOF || line->length > 0;
}

static bool blank(char c) {
    return c == ' ' || c == '\t';
}

/* The part of a line that counts. */
struct part {
    const char *start;
    size_t length;
};

static struct part part_of(const struct line *line) {
    const char *at = line->text;
    const char *end = line->text + line->length;
    for (long i = 0; i < options.fields; i++) {
        while (at < end && blank(*at))
            at++;
        while (at < end && !blank(*at))
            at++;
    }
    if (options.characters < end - at)
        at += options.characters;
    else
        at = end;
    size_t length = (size_t)(end - at);
    if ((unsigned long)options.width < length)
        length = (size_t)options.width;
    return (struct part){at, length};
}

static bool same_characters(char a, char b) {
    if (options.fold)
        return tolower((unsigned char)a) == tolower((unsigned char)b);
    return a == b;
}

static bool same(const struct line *a, const struct line *b) {
    struct part one = part_of(a);
    struct part other = part_of(b);
    if (one.length != other.length)
        return false;
    for (size_t i = 0; i < one.length; i++) {
        if (!same_characters(one.start[i], other.start[i]))
            return false;
    }
    return true;
}

static void print(const struct line *line, unsigned long count, FILE *to) {
    if (options.repeated && count == 1)
        return;
    if (options.single && count > 1)
        return;
    if (options.counts)
        fprintf(to, "%4lu ", count);
    fwrite(line->text, 1, line->length, to);
    putc('\n', to);
}

static void swap(struct line *a, struct line *b) {
    struct line other = *a;
    *a = *b;
    *b = other;
}

static void uniq(FILE *from, FILE *to) {
    struct line first = {0};
    struct line next = {0};
    unsigned long count = 1;
    if (!read_line(&first, from)) {
        free(first.text);
        return;
    }
    while (read_line(&next, from)) {
        if (same(&first, &next)) {
            count++;
            continue;
        }
        print(&first, count, to);
        swap(&first, &next);
        count = 1;
    }
    print(&first, count, to);
    free(first.text);
    free(next.text);
#ifdef BUG_2 /* double-free */
    if (count > 2)
        free(first.text);
#endif
}

static long number(const char *text) {
    char *end;
    errno = 0;
    long number = strtol(text, &end, 10);
    if (end == text || *end || number < 0)
        errx(1, "not a number of things to leave out: %s", text);
    if (errno)
        err(1, "%s", text);
    return number;
}

static FILE *open_or_end(const char *name, const char *mode, FILE *standard) {
    if (strcmp(name, "-") == 0)
        return standard;
    FILE *file = fopen(name, mode);
    if (!file)
        err(1, "%s", name);
    return file;
}

static void set_option(int option) {
    switch (option) {
    case 'c':
        options.counts = true;
        break;
    case 'd':
        options.repeated = true;
        break;
    case 'u':
        options.single = true;
        break;
    case 'i':
        options.fold = true;
        break;
    case 'f':
        options.fields = number(optarg);
        break;
    case 's':
        options.characters = number(optarg);
        break;
    case 'w':
        options.width = number(optarg);
        break;
    default:
        errx(1, "usage: uniq [-cdiu] [-f fields] [-s characters] [-w width] [from [to]]");
    }
}

int main(int argc, char **argv) {
    int option;
    while ((option = getopt(argc, argv, "cdiuf:s:w:")) != -1)
        set_option(option);
    if (argc - optind > 2)
        errx(1, "too many files: %s", argv[optind + 2]);
    FILE *from = stdin;
    FILE *to = stdout;
    if (optind < argc)
        from = open_or_end(argv[optind], "r", stdin);
    if (optind + 1 < argc)
        to = open_or_end(argv[optind + 1], "w", stdout);
    uniq(from, to);
    if (ferror(from))
        err(1, "cannot read on");
    if (fflush(to) != 0)
        err(1, "cannot write on");
    return 0;
}
