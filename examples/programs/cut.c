/* cut: writes parts of each line.
 *
 *   everypath run cut.c --sym-args 1 3 5 --sym-stdin 4
 *
 *   -b LIST  these bytes           -d CHARACTER  what ends a field, a tab if not given
 *   -c LIST  these characters      -s            leaves out lines without that character
 *   -f LIST  these fields          -v            all but the list
 *
 * A list is made of numbers and ranges: 1,3-5,7-
 */
#include <ctype.h>
#include <err.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct range {
    unsigned first;
    unsigned last; /* UINT_MAX: to the end of the line */
};

/* Ranges in order that neither touch nor overlap. */
static struct range *ranges;
static int range_count;
static int range_room;

enum unit { NOTHING, BYTES, CHARACTERS, FIELDS };

static struct {
    enum unit unit;
    char delimiter;
    bool only_delimited;
    bool others;
} options = {.delimiter = '\t'};

/* Reads a number of a list; 0 stands for none. */
static unsigned number(const char **at) {
    unsigned value = 0;
    if (!isdigit((unsigned char)**at))
        return 0;
    while (isdigit((unsigned char)**at)) {
        unsigned digit = (unsigned)(*(*at)++ - '0');
        if (value > (UINT_MAX - digit) / 10)
            errx(1, "a number of a list is too large");
        value = value * 10 + digit;
    }
    if (value == 0)
        errx(1, "bytes and fields are counted from 1");
    return value;
}

static struct range range(const char **at) {
    struct range range;
    range.first = number(at);
    if (**at != '-') {
        if (range.first == 0)
            errx(1, "a number is missing in the list, before `%s`", *at);
        range.last = range.first;
        return range;
    }
    (*at)++;
    range.last = number(at);
    if (range.first == 0 && range.last == 0)
        errx(1, "a range needs a start or an end");
    if (range.first == 0)
        range.first = 1;
    if (range.last == 0)
        range.last = UINT_MAX;
    if (range.last < range.first)
        errx(1, "a range goes down: %u-%u", range.first, range.last);
    return range;
}

static void insert(struct range new) {
#ifdef BUG_1 /* out-of-bounds-write */
    if (range_room == 0 || range_count > range_room) {
#else
    if (range_count == range_room) {
#endif
        range_room = range_room ? 2 * range_room : 1;
        ranges = realloc(ranges, (size_t)range_room * sizeof *ranges);
        if (!ranges)
            err(1, "%d ranges", range_room);
    }
    int at = range_count++;
    while (at > 0 && ranges[at - 1].first > new.first) {
        ranges[at] = ranges[at - 1];
        at--;
    }
    ranges[at] = new;
}

static bool touch(struct range a, struct range b) {
    return a.last == UINT_MAX || b.first <= a.last + 1;
}

/* Joins what touches or overlaps. */
static void join(void) {
    int kept = 0;
    for (int i = 1; i < range_count; i++) {
        if (!touch(ranges[kept], ranges[i]))
            ranges[++kept] = ranges[i];
        else if (ranges[i].last > ranges[kept].last)
            ranges[kept].last = ranges[i].last;
    }
    range_count = kept + 1;
}

static void read_list(const char *list) {
    for (;;) {
        insert(range(&list));
        if (*list == '\0')
            break;
        if (*list != ',' && *list != ' ')
            errx(1, "`%c` has no meaning in a list", *list);
        list++;
    }
    join();
}

static bool listed(unsigned place) {
    for (int i = 0; i < range_count; i++) {
        if (place < ranges[i].first)
            break;
        if (place <= ranges[i].last)
            return !options.others;
    }
    return options.others;
}

static void cut_bytes(const char *line) {
    for (unsigned place = 1; *line; place++, line++) {
        if (listed(place))
            putchar(*line);
    }
    putchar('\n');
}

/* Bytes that continue a character of UTF-8 belong to the one before. */
static void cut_characters(const char *line) {
    unsigned place = 0;
    for (; *line; line++) {
        if (((unsigned char)*line & 0xc0) != 0x80)
            place++;
        if (listed(place))
            putchar(*line);
    }
    putchar('\n');
}

static void cut_fields(char *line) {
    char *end = strchr(line, options.delimiter);
    if (!end) {
        if (!options.only_delimited)
            puts(line);
        return;
    }
    bool any = false;
    for (unsigned place = 1; line; place++) {
        end = strchr(line, options.delimiter);
        int length = end ? (int)(end - line) : (int)strlen(line);
        if (listed(place)) {
            if (any)
                putchar(options.delimiter);
            any = true;
            printf("%.*s", length, line);
        }
#ifdef BUG_2 /* null-dereference */
        line = end + 1;
        if (*line == '\0')
            break;
#else
        line = end ? end + 1 : NULL;
#endif
    }
    putchar('\n');
}

static void cut(FILE *file, const char *name) {
    char *line = NULL;
    size_t room = 0;
    ssize_t length;
    while ((length = getline(&line, &room, file)) >= 0) {
        if (length > 0 && line[length - 1] == '\n')
            line[length - 1] = '\0';
        if (options.unit == BYTES)
            cut_bytes(line);
        else if (options.unit == CHARACTERS)
            cut_characters(line);
        else
            cut_fields(line);
    }
    free(line);
    if (ferror(file))
        err(1, "%s", name);
}

static void set_unit(enum unit unit, const char *list) {
    if (options.unit != NOTHING)
        errx(1, "only one list can be given");
    options.unit = unit;
    read_list(list);
}

static void set_option(int option) {
    switch (option) {
    case 'b':
        set_unit(BYTES, optarg);
        break;
    case 'c':
        set_unit(CHARACTERS, optarg);
        break;
    case 'f':
        set_unit(FIELDS, optarg);
        break;
    case 'd':
        if (strlen(optarg) != 1)
            errx(1, "a delimiter is one character");
        options.delimiter = *optarg;
        break;
    case 's':
        options.only_delimited = true;
        break;
    case 'v':
        options.others = true;
        break;
    default:
        errx(1, "usage: cut -b list | -c list | -f list [-d character] [-sv] [file ...]");
    }
}

int main(int argc, char **argv) {
    int option;
    while ((option = getopt(argc, argv, "b:c:f:d:sv")) != -1)
        set_option(option);
    if (options.unit == NOTHING)
        errx(1, "give a list of bytes, characters or fields");
    if (optind == argc)
        cut(stdin, "standard input");
    for (int i = optind; i < argc; i++) {
        FILE *file = fopen(argv[i], "r");
        if (!file)
            err(1, "%s", argv[i]);
        cut(file, argv[i]);
        fclose(file);
    }
    return 0;
}
