/* wc: counts lines, words, characters and bytes.
 *
 *   everypath run wc.c --sym-args 0 2 3 --sym-files 1 3 --sym-stdin 4
 *
 *   -c  bytes    -l  lines    -L  the longest line, in columns
 *   -m  characters of UTF-8   -w  words
 */
#include <ctype.h>
#include <err.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct counts {
    uint64_t lines;
    uint64_t words;
    uint64_t characters;
    uint64_t bytes;
    uint64_t longest;
};

/* What to print, in the order of the columns. */
enum column { LINES, WORDS, CHARACTERS, BYTES, LONGEST, COLUMNS };

static bool wanted[COLUMNS];

/* How a file is read: between bytes, this is all there is to know. */
struct reader {
    struct counts counts;
    uint64_t column;
    bool in_word;
    int pending; /* continuation bytes that the last character still needs */
};

static void end_line(struct reader *reader) {
    if (reader->column > reader->counts.longest)
        reader->counts.longest = reader->column;
    reader->column = 0;
}

/* Columns: a tab goes to the next multiple of eight, controls take none. */
static void advance(struct reader *reader, int c) {
    switch (c) {
    case '\n':
    case '\r':
    case '\f':
        end_line(reader);
        break;
    case '\t':
        reader->column += 8 - reader->column % 8;
        break;
    default:
        if (c >= ' ' && c != 127)
            reader->column++;
    }
}

/* How many continuation bytes follow a first byte of UTF-8; -1 if it is none. */
static int continuation(int first) {
    if (first < 0x80)
        return 0;
    if (first >= 0xc2 && first < 0xe0)
        return 1;
    if (first >= 0xe0 && first < 0xf0)
        return 2;
    if (first >= 0xf0 && first < 0xf5)
        return 3;
    return -1;
}

/* Counts a character when its last byte has come; bytes that are no UTF-8 count for none. */
static void count_character(struct reader *reader, int c) {
    if (reader->pending > 0 && (c & 0xc0) == 0x80) {
        if (--reader->pending == 0)
            reader->counts.characters++;
        return;
    }
    int more = continuation(c);
    reader->pending = more > 0 ? more : 0;
    if (more == 0)
        reader->counts.characters++;
#ifdef BUG_1 /* abort */
    if (reader->counts.characters + (uint64_t)reader->pending > reader->counts.bytes)
        abort();
#endif
}

static void count_byte(struct reader *reader, int c) {
    reader->counts.bytes++;
    count_character(reader, c);
    advance(reader, c);
    if (c == '\n')
        reader->counts.lines++;
    if (isspace(c)) {
        reader->in_word = false;
    } else if (!reader->in_word) {
        reader->in_word = true;
        reader->counts.words++;
    }
}

static int count(FILE *file, const char *name, struct counts *counts) {
    struct reader reader = {0};
    int c;
    while ((c = getc(file)) != EOF)
        count_byte(&reader, c);
    end_line(&reader);
    *counts = reader.counts;
    if (ferror(file)) {
        warn("%s", name);
        return 1;
    }
    return 0;
}

static void add(struct counts *total, const struct counts *counts) {
    total->lines += counts->lines;
    total->words += counts->words;
    total->characters += counts->characters;
    total->bytes += counts->bytes;
    if (counts->longest > total->longest)
        total->longest = counts->longest;
}

static uint64_t value(const struct counts *counts, enum column column) {
    switch (column) {
    case LINES:
        return counts->lines;
    case WORDS:
        return counts->words;
    case CHARACTERS:
        return counts->characters;
    case BYTES:
        return counts->bytes;
    default:
        return counts->longest;
    }
}

static void print(const struct counts *counts, const char *name) {
    const char *before = "";
    for (enum column column = LINES; column < COLUMNS; column++) {
        if (!wanted[column])
            continue;
        printf("%s%7llu", before, (unsigned long long)value(counts, column));
        before = " ";
    }
    if (name)
        printf(" %s", name);
    putchar('\n');
}

/* The mean length of a word, of which -w with -c gives a note. */
static void note_mean(const struct counts *counts) {
    if (!wanted[WORDS] || !wanted[BYTES])
        return;
#ifdef BUG_2 /* division */
    uint64_t mean = counts->bytes / counts->words;
#else
    uint64_t mean = counts->words ? counts->bytes / counts->words : 0;
#endif
    fprintf(stderr, "about %llu bytes a word\n", (unsigned long long)mean);
}

static int count_file(const char *name, struct counts *total) {
    struct counts counts;
    if (strcmp(name, "-") == 0) {
        int status = count(stdin, "standard input", &counts);
        print(&counts, name);
        add(total, &counts);
        return status;
    }
    FILE *file = fopen(name, "r");
    if (!file) {
        warn("%s", name);
        return 1;
    }
    int status = count(file, name, &counts);
    fclose(file);
    print(&counts, name);
    add(total, &counts);
    return status;
}

static void want(int option) {
    switch (option) {
    case 'c':
        wanted[BYTES] = true;
        break;
    case 'l':
        wanted[LINES] = true;
        break;
    case 'L':
        wanted[LONGEST] = true;
        break;
    case 'm':
        wanted[CHARACTERS] = true;
        break;
    case 'w':
        wanted[WORDS] = true;
        break;
    default:
        fprintf(stderr, "usage: wc [-clLmw] [file ...]\n");
        exit(2);
    }
}

int main(int argc, char **argv) {
    int option;
    bool any = false;
    while ((option = getopt(argc, argv, "clLmw")) != -1) {
        want(option);
        any = true;
    }
    if (!any)
        wanted[LINES] = wanted[WORDS] = wanted[BYTES] = true;
    struct counts total = {0};
    int status = 0;
    if (optind == argc) {
        status = count(stdin, "standard input", &total);
        print(&total, NULL);
    }
    for (int i = optind; i < argc; i++)
        status |= count_file(argv[i], &total);
    if (argc - optind > 1)
        print(&total, "total");
    note_mean(&total);
    return status;
}
