/* od: shows the bytes of a file.
 *
 *   everypath run od.c --sym-args 0 3 3 --sym-stdin 5
 *
 *   -A c    addresses in this base: d, o, x, or n for none
 *   -j N    skips N bytes        -N N  shows N bytes
 *   -t T    how: a names, c characters, d o u x numbers, with a size of 1, 2, 4 or 8
 *   -v      lines that repeat are shown, too
 *   -w N    N bytes a line       -z    what prints, at the end of lines
 */
#include <ctype.h>
#include <err.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WIDEST = 32, MOST_FORMATS = 2 };

struct format {
    char letter;
    int size;
};

static struct format formats[MOST_FORMATS];
static int format_count;

static struct {
    char addresses;
    bool all;
    bool text;
    size_t skip;
    size_t most;
    size_t width;
} options = {.addresses = 'o', .most = SIZE_MAX, .width = 16};

static size_t number(const char *text) {
    char *end;
    long long value = strtoll(text, &end, 0);
    if (end == text || value < 0)
        errx(1, "not a number of bytes: %s", text);
    if (*end == 'k') {
        value *= 1024;
        end++;
    }
    if (*end)
        errx(1, "not a number of bytes: %s", text);
    return (size_t)value;
}

static bool has_size(char letter) {
    return letter != 'a' && letter != 'c';
}

/* A format is a letter and, for numbers, a size; `acx2` are three of them. */
static void add_formats(const char *text) {
    do {
#ifndef BUG_1 /* out-of-bounds-write */
        if (format_count == MOST_FORMATS)
            errx(1, "at most %d formats", MOST_FORMATS);
#endif
        if (!*text || !strchr("acdoux", *text))
            errx(1, "there is no format `%s`", text);
        struct format format = {*text, has_size(*text) ? 4 : 1};
        text++;
        if (has_size(format.letter) && *text && strchr("1248", *text))
            format.size = *text++ - '0';
        formats[format_count++] = format;
    } while (*text);
}

static void print_address(size_t address) {
    switch (options.addresses) {
    case 'd':
        printf("%07zu", address);
        break;
    case 'o':
        printf("%07zo", address);
        break;
    case 'x':
        printf("%06zx", address);
        break;
    default:
        break;
    }
}

static const char *const names[] = {
    "nul", "soh", "stx", "etx", "eot", "enq", "ack", "bel", "bs", "ht", "nl",
    "vt",  "ff",  "cr",  "so",  "si",  "dle", "dc1", "dc2", "dc3", "dc4", "nak",
    "syn", "etb", "can", "em",  "sub", "esc", "fs",  "gs",  "rs",  "us",  "sp",
};

/* -t a: names of ASCII; the highest bit does not count. */
static void print_name(unsigned char byte) {
#ifdef BUG_2 /* out-of-bounds-read */
    unsigned char low = byte;
    if (low < 128 ? low <= ' ' : (low & 127) < ' ')
#else
    unsigned char low = byte & 127;
    if (low <= ' ')
#endif
        printf(" %3s", names[low]);
    else if (low == 127)
        printf(" del");
    else
        printf("   %c", low);
}

static void print_character(unsigned char byte) {
    static const char letters[] = "0abtnvfr";
    static const char escaped[] = {0, 7, 8, 9, 10, 11, 12, 13};
    const char *escape = memchr(escaped, byte, sizeof escaped);
    if (escape)
        printf("  \\%c", letters[escape - escaped]);
    else if (isprint(byte))
        printf("   %c", byte);
    else
        printf(" %03o", byte);
}

/* The number that some bytes are, the lowest first; those beyond the end are 0. */
static uint64_t gather(const unsigned char *bytes, size_t count, int size) {
    uint64_t value = 0;
    for (int i = size - 1; i >= 0; i--)
        value = value << 8 | ((size_t)i < count ? bytes[i] : 0);
    return value;
}

static int64_t extended(uint64_t value, int size) {
    int unused = 64 - 8 * size;
    return (int64_t)(value << unused) >> unused;
}

static void print_number(struct format format, uint64_t value) {
    /* Columns of the longest number, by size. */
    static const int decimal[] = {[1] = 4, [2] = 6, [4] = 11, [8] = 20};
    static const int octal[] = {[1] = 3, [2] = 6, [4] = 11, [8] = 22};
    int size = format.size;
    switch (format.letter) {
    case 'd':
        printf(" %*lld", decimal[size], (long long)extended(value, size));
        break;
    case 'u':
        printf(" %*llu", decimal[size], (unsigned long long)value);
        break;
    case 'o':
        printf(" %0*llo", octal[size], (unsigned long long)value);
        break;
    default:
        printf(" %0*llx", 2 * size, (unsigned long long)value);
    }
}

static void print_formatted(struct format format, const unsigned char *line, size_t count) {
    for (size_t at = 0; at < count; at += (size_t)format.size) {
        if (format.letter == 'a')
            print_name(line[at]);
        else if (format.letter == 'c')
            print_character(line[at]);
        else
            print_number(format, gather(line + at, count - at, format.size));
    }
}

static void print_text(const unsigned char *line, size_t count) {
    printf("  >");
    for (size_t i = 0; i < count; i++)
        putchar(isprint(line[i]) ? line[i] : '.');
    putchar('<');
}

static void print_line(size_t address, const unsigned char *line, size_t count) {
    for (int i = 0; i < format_count; i++) {
        if (i == 0)
            print_address(address);
        else
            printf("%*s", options.addresses == 'n' ? 0 : 7, "");
        print_formatted(formats[i], line, count);
        if (i == 0 && options.text)
            print_text(line, count);
        putchar('\n');
    }
}

static size_t read_line(FILE *file, unsigned char *line, size_t most) {
    size_t wanted = options.width < most ? options.width : most;
    return fread(line, 1, wanted, file);
}

/* Lines that repeat the one before become one `*`. */
static void dump(FILE *file) {
    unsigned char line[WIDEST], last[WIDEST];
    size_t address = options.skip, left = options.most, count;
    bool repeats = false;
    for (size_t i = 0; i < options.skip; i++) {
        if (getc(file) == EOF)
            errx(1, "the input is shorter than what is skipped");
    }
    while ((count = read_line(file, line, left)) > 0) {
        bool same = address > options.skip && count == options.width
                 && memcmp(line, last, count) == 0;
        if (!same || options.all)
            print_line(address, line, count);
        else if (!repeats)
            puts("*");
        repeats = same;
        memcpy(last, line, count);
        address += count;
        left -= count;
    }
    print_address(address);
    if (options.addresses != 'n')
        putchar('\n');
}

static void set_option(int option) {
    switch (option) {
    case 'A':
        if (!*optarg || !strchr("doxn", *optarg) || optarg[1])
            errx(1, "addresses are of base d, o, x or n");
        options.addresses = *optarg;
        break;
    case 'j':
        options.skip = number(optarg);
        break;
    case 'N':
        options.most = number(optarg);
        break;
    case 't':
        add_formats(optarg);
        break;
    case 'v':
        options.all = true;
        break;
    case 'w':
        options.width = number(optarg);
        if (options.width == 0 || options.width > WIDEST)
            errx(1, "lines have 1 to %d bytes", WIDEST);
        break;
    case 'z':
        options.text = true;
        break;
    default:
        errx(1, "usage: od [-vz] [-A base] [-j skip] [-N most] [-t format] [-w width] [file]");
    }
}

int main(int argc, char **argv) {
    int option;
    while ((option = getopt(argc, argv, "A:j:N:t:vw:z")) != -1)
        set_option(option);
    if (format_count == 0)
        add_formats("o2");
    FILE *file = stdin;
    if (optind < argc)
        file = fopen(argv[optind], "r");
    if (!file)
        err(1, "%s", argv[optind]);
    dump(file);
    if (ferror(file))
        err(1, "cannot read on");
    if (file != stdin)
        fclose(file);
    return 0;
}
