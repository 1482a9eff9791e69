/* cat: writes files one after the other.
 *
 *   everypath run cat.c --sym-args 0 2 3 --sym-files 1 3 --sym-stdin 3
 *
 *   -b  numbers the lines that are not empty      -s  squeezes empty lines to one
 *   -n  numbers all lines                         -t  shows tabs as ^I, and implies -v
 *   -e  ends lines with $, and implies -v         -v  shows what does not print
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct style {
    bool number;
    bool number_filled;
    bool ends;
    bool squeeze;
    bool tabs;
    bool visible;
};

/* What is carried from one file into the next: a line may go on there. */
struct writer {
    struct style style;
    unsigned long line;
    int empty;
    bool at_start;
};

static void put(char c) {
    if (putchar((unsigned char)c) == EOF)
        err(1, "standard output");
}

static void put_text(const char *text) {
    while (*text)
        put(*text++);
}

/* The number before a line: right-aligned in six columns, as the standard has it. */
static void put_number(unsigned long number) {
    char digits[24];
    int used = 0;
    do {
        digits[used++] = (char)('0' + number % 10);
        number /= 10;
    } while (number);
#ifdef BUG_1 /* out-of-bounds-write */
    char columns[6];
#else
    char columns[24];
#endif
    int width = used < 6 ? 6 : used;
    for (int i = 0; i < width; i++)
        columns[i] = i < width - used ? ' ' : digits[width - 1 - i];
    columns[width] = '\0';
    put_text(columns);
    put('\t');
}

/* ^X for control characters, M- before those above 127. */
static void put_visible(unsigned char c) {
    static const char *const rare[] = {"^?"};
    if (c >= 128) {
        put_text("M-");
        c -= 128;
    }
    if (c == 127)
        put_text(rare[0]);
    else if (c < 32) {
        put('^');
        put((char)(c + 64));
    } else
        put((char)c);
}

/* Whether this line is one empty line too many. */
static bool squeezed(struct writer *writer, int c) {
    if (!writer->at_start || c != '\n') {
        writer->empty = 0;
        return false;
    }
    writer->empty++;
    return writer->style.squeeze && writer->empty > 1;
}

static void start_line(struct writer *writer, int c) {
    struct style *style = &writer->style;
    bool numbered = style->number_filled ? c != '\n' : style->number;
    if (numbered)
        put_number(++writer->line);
}

static void put_styled(struct writer *writer, int c) {
    if (squeezed(writer, c))
        return;
    if (writer->at_start)
        start_line(writer, c);
    writer->at_start = c == '\n';
    if (c == '\n') {
        if (writer->style.ends)
            put('$');
        put('\n');
    } else if (c == '\t') {
        put_text(writer->style.tabs ? "^I" : "\t");
    } else if (writer->style.visible) {
        put_visible((unsigned char)c);
    } else
        put((char)c);
}

static bool plain(const struct style *style) {
    return !style->number && !style->number_filled && !style->ends && !style->squeeze
        && !style->tabs && !style->visible;
}

/* Copies with the fewest calls: nothing is looked at. */
static int copy(int from, const char *name) {
    char buffer[64];
    ssize_t got;
    fflush(stdout);
    while ((got = read(from, buffer, sizeof buffer)) > 0) {
        ssize_t done = 0;
        while (done < got) {
            ssize_t written = write(STDOUT_FILENO, buffer + done, (size_t)(got - done));
            if (written < 0)
                err(1, "standard output");
            done += written;
        }
    }
    if (got < 0) {
        warn("%s", name);
        return 1;
    }
    return 0;
}

static int copy_styled(struct writer *writer, FILE *from, const char *name) {
    int c;
    while ((c = getc(from)) != EOF)
        put_styled(writer, c);
    if (ferror(from)) {
        warn("%s", name);
        return 1;
    }
    return 0;
}

static int cat_standard_input(struct writer *writer) {
    if (plain(&writer->style))
        return copy(STDIN_FILENO, "standard input");
    int status = copy_styled(writer, stdin, "standard input");
    clearerr(stdin);
    return status;
}

static int cat_file(struct writer *writer, const char *name) {
    if (strcmp(name, "-") == 0)
        return cat_standard_input(writer);
    int descriptor = open(name, O_RDONLY);
    if (descriptor < 0) {
        warn("%s", name);
        return 1;
    }
    if (plain(&writer->style)) {
        int status = copy(descriptor, name);
        close(descriptor);
        return status;
    }
    FILE *file = fdopen(descriptor, "r");
    if (!file)
        err(1, "%s", name);
    int status = copy_styled(writer, file, name);
    fclose(file);
#ifdef BUG_2 /* use-after-free */
    if (writer->style.squeeze && feof(file))
        writer->empty = 0;
#endif
    return status;
}

static void usage(void) {
    fprintf(stderr, "usage: cat [-benstuv] [file ...]\n");
    exit(2);
}

static struct style options(int argc, char **argv) {
    struct style style = {0};
    int option;
    while ((option = getopt(argc, argv, "benstuv")) != -1) {
        switch (option) {
        case 'b':
            style.number_filled = true;
            break;
        case 'e':
            style.ends = style.visible = true;
            break;
        case 'n':
            style.number = true;
            break;
        case 's':
            style.squeeze = true;
            break;
        case 't':
            style.tabs = style.visible = true;
            break;
        case 'u':
            setvbuf(stdout, NULL, _IONBF, 0);
            break;
        case 'v':
            style.visible = true;
            break;
        default:
            usage();
        }
    }
    return style;
}

int main(int argc, char **argv) {
    struct writer writer = {.style = options(argc, argv), .at_start = true};
    int status = 0;
    if (optind == argc)
        status = cat_standard_input(&writer);
    for (int i = optind; i < argc; i++)
        status |= cat_file(&writer, argv[i]);
    if (fflush(stdout) != 0)
        err(1, "standard output");
    return status;
}
