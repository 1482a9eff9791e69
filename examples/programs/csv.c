/* csv: reads tables of RFC 4180, and writes columns, rows and sums of them.
 *
 *   everypath run csv.c --sym-args 0 3 3 --sym-stdin 7
 *
 *   -c N    only this column; may be given up to four times, and sets their order
 *   -d C    what stands between fields; a comma if not given
 *   -h      the first row has names, and is kept in place
 *   -r      rows in reverse      -s N  the sum of a column
 *   -t      columns aligned, for people
 */
#include <ctype.h>
#include <err.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct row {
    char **fields;
    size_t count;
};

static struct row *rows;
static size_t row_count;
static unsigned line = 1;

enum { MOST_COLUMNS = 4 };

static struct {
    size_t columns[MOST_COLUMNS]; /* counted from 0 */
    char delimiter;
    bool header;
    bool reverse;
    bool table;
    long sum; /* 0: none */
} options = {.delimiter = ','};

static size_t column_count;

/* A field as it is read; it grows by doubling. */
struct field {
    char *text;
    size_t used;
    size_t room;
};

static void append(struct field *field, int c) {
    if (field->used == field->room) {
        field->room = field->room ? 2 * field->room : 2;
        field->text = realloc(field->text, field->room);
        if (!field->text)
            err(1, "a field of %zu bytes", field->room);
    }
    field->text[field->used++] = (char)c;
}

static void add_field(struct row *row, struct field *field) {
    append(field, '\0');
    row->fields = realloc(row->fields, (row->count + 1) * sizeof *row->fields);
    if (!row->fields)
        err(1, "%zu fields", row->count + 1);
    row->fields[row->count++] = field->text;
    *field = (struct field){0};
}

/* Reads a field in quotes up to the character after them. Quotes are doubled inside. */
static int read_quoted(struct field *field) {
    unsigned start = line;
    for (;;) {
        int c = getchar();
        if (c == EOF)
            errx(1, "line %u: a quote is not closed", start);
        if (c == '\n')
            line++;
        if (c == '"') {
            c = getchar();
            if (c != '"')
                return c;
        }
        append(field, c);
    }
}

static int read_plain(struct field *field, int c) {
    while (c != EOF && c != '\n' && c != '\r' && c != options.delimiter) {
        if (c == '"')
            errx(1, "line %u: a quote in the middle of a field", line);
        append(field, c);
        c = getchar();
    }
    return c;
}

/* Reads a row; false if there is none. */
static bool read_row(struct row *row) {
    int c = getchar();
    if (c == EOF)
        return false;
    *row = (struct row){0};
    struct field field = {0};
    for (;;) {
        c = c == '"' ? read_quoted(&field) : read_plain(&field, c);
        add_field(row, &field);
        if (c != options.delimiter)
            break;
        c = getchar();
    }
    if (c == '\r')
        c = getchar();
    if (c != '\n' && c != EOF)
        errx(1, "line %u: something stands after a quote", line);
    line++;
    return true;
}

static void read_rows(void) {
    struct row row;
    while (read_row(&row)) {
        rows = realloc(rows, (row_count + 1) * sizeof *rows);
        if (!rows)
            err(1, "%zu rows", row_count + 1);
        rows[row_count++] = row;
    }
    for (size_t i = 1; i < row_count; i++) {
        if (rows[i].count != rows[0].count)
            warnx("row %zu has %zu fields, the first one %zu", i + 1, rows[i].count,
                  rows[0].count);
    }
}

static const char *field_of(const struct row *row, size_t column) {
#ifdef BUG_1 /* out-of-bounds-read */
    return column <= row->count ? row->fields[column] : "";
#else
    return column < row->count ? row->fields[column] : "";
#endif
}

static void put_field(const char *text) {
    bool quotes = *text == ' ' || strpbrk(text, "\"\r\n") || strchr(text, options.delimiter);
    if (!quotes) {
        fputs(text, stdout);
        return;
    }
    putchar('"');
    for (; *text; text++) {
        if (*text == '"')
            putchar('"');
        putchar(*text);
    }
    putchar('"');
}

static size_t columns_of(const struct row *row) {
    return column_count ? column_count : row->count;
}

static size_t column(size_t place) {
    return column_count ? options.columns[place] : place;
}

static size_t width(size_t place) {
    size_t widest = 0;
    for (size_t i = 0; i < row_count; i++) {
        size_t length = strlen(field_of(&rows[i], column(place)));
        if (length > widest)
            widest = length;
    }
    return widest;
}

static void put_row(const struct row *row) {
    for (size_t place = 0; place < columns_of(row); place++) {
        const char *field = field_of(row, column(place));
        if (options.table) {
            printf("%s%-*s", place ? "  " : "", (int)width(place), field);
            continue;
        }
        if (place > 0)
            putchar(options.delimiter);
        put_field(field);
    }
    putchar('\n');
}

static void put_rows(void) {
    size_t first = 0;
    if (options.header && row_count > 0)
        put_row(&rows[first++]);
    for (size_t i = first; i < row_count; i++) {
#ifdef BUG_2 /* out-of-bounds-read */
        size_t mirrored = row_count - i;
#else
        size_t mirrored = row_count - 1 - (i - first);
#endif
        put_row(&rows[options.reverse ? mirrored : i]);
    }
}

static int put_sum(void) {
    long sum = 0;
    for (size_t i = options.header; i < row_count; i++) {
        const char *text = field_of(&rows[i], (size_t)options.sum - 1);
        char *end;
        long number = strtol(text, &end, 10);
        if (end == text || *end) {
            warnx("row %zu: not a number: %s", i + 1, text);
            return 1;
        }
        if (__builtin_add_overflow(sum, number, &sum))
            errx(1, "the sum is too large");
    }
    printf("%ld\n", sum);
    return 0;
}

static void release(void) {
    for (size_t i = 0; i < row_count; i++) {
        for (size_t j = 0; j < rows[i].count; j++)
            free(rows[i].fields[j]);
        free(rows[i].fields);
    }
    free(rows);
}

static long column_number(const char *text) {
    long number = atol(text);
    if (number < 1)
        errx(2, "columns are counted from 1: %s", text);
    return number;
}

static void set_option(int option) {
    switch (option) {
    case 'c':
        if (column_count == MOST_COLUMNS)
            errx(2, "more than %d columns", MOST_COLUMNS);
        options.columns[column_count++] = (size_t)column_number(optarg) - 1;
        break;
    case 'd':
        options.delimiter = *optarg;
        if (!*optarg || strchr("\"\r\n", *optarg))
            errx(2, "this cannot stand between fields");
        break;
    case 'h':
        options.header = true;
        break;
    case 'r':
        options.reverse = true;
        break;
    case 's':
        options.sum = column_number(optarg);
        break;
    case 't':
        options.table = true;
        break;
    default:
        errx(2, "usage: csv [-hrt] [-c column]... [-d character] [-s column]");
    }
}

int main(int argc, char **argv) {
    int option;
    while ((option = getopt(argc, argv, "c:d:hrs:t")) != -1)
        set_option(option);
    read_rows();
    int status = 0;
    if (options.sum)
        status = put_sum();
    else
        put_rows();
    release();
    return status;
}
