/* Streams, and the scanf family against glibc. */
#define _GNU_SOURCE
#include "harness.h"

OURS(sscanf);
OURS(scanf);
OURS(fscanf);
int ours___isoc99_sscanf(const char *, const char *, ...);
OURS(getchar);
OURS(getc);
OURS(ungetc);
OURS(fgets);
OURS(fread);
OURS(getline);
OURS(getdelim);
OURS(feof);
OURS(ferror);
OURS(clearerr);
OURS(fileno);
OURS(putchar);
OURS(puts);
OURS(fputs);
OURS(fputc);
OURS(fwrite);
OURS(fflush);
OURS(perror);
extern FILE *ours_stdin, *ours_stdout, *ours_stderr;
int ours___uflow(FILE *);
int ours___overflow(FILE *, int);

/* Whether the headers' view of a stream is the library's. */
static int end_flag(FILE *stream) {
    return (stream->_flags & 0x10) != 0;
}

/* One conversion, scanned by both from a string and by ours from a stream too. */
#define SAME(form, type, size)                                                                     \
    do {                                                                                           \
        type ours[8] = {0}, theirs[8] = {0}, streamed[8] = {0};                                    \
        int our_end = -1, their_end = -1, streamed_end = -1;                                       \
        int our_count = ours_sscanf(text, form "%n", ours, &our_end);                              \
        int their_count = sscanf(text, form "%n", theirs, &their_end);                             \
        CHECK(our_count == their_count && our_end == their_end &&                                  \
                  memcmp(ours, theirs, size) == 0,                                                 \
              "%s of \"%s\": %d to %d, glibc %d to %d", form, text, our_count, our_end,            \
              their_count, their_end);                                                             \
        input = text;                                                                              \
        input_left = strlen(text);                                                                 \
        ours_clearerr(ours_stdin);                                                                 \
        while (ours_stdin->_IO_read_ptr < ours_stdin->_IO_read_end)                                \
            ours_getchar();                                                                        \
        int streamed_count = ours_scanf(form "%n", streamed, &streamed_end);                       \
        CHECK(streamed_count == our_count && streamed_end == our_end &&                            \
                  memcmp(ours, streamed, size) == 0,                                               \
              "%s of \"%s\": from a stream %d to %d, from a string %d to %d", form, text,          \
              streamed_count, streamed_end, our_count, our_end);                                   \
    } while (0)

static void compare_scanning(void) {
    for (int round = 0; round < 30000; round++) {
        static const char *const parts[] = {"1",  "23", "-",   "+",  " ",   "\n", "0x", "0",  "a",
                                            "f",  "z",  ".",   "e",  "e5",  "p3", "9",  "8",  "inf",
                                            "nan", "%", "12345678901234567890", ",", "]",  "^"};
        char text[200] = "";
        for (unsigned count = below(6); count > 0; count--)
            strcat(text, parts[below(24)]);
        SAME("%d", int, 4);
        SAME("%i", int, 4);
        SAME("%u", unsigned, 4);
        SAME("%x", unsigned, 4);
        SAME("%o", unsigned, 4);
        SAME("%ld", long, 8);
        SAME("%lli", long long, 8);
        SAME("%zu", size_t, 8);
        SAME("%hd", short, 2);
        SAME("%hhu", unsigned char, 1);
        SAME("%2d", int, 4);
        SAME("%3x", unsigned, 4);
        SAME("%1i", int, 4);
        SAME("%p", uintptr_t, 8);
        SAME("%c", char, 8);
        SAME("%3c", char, 8);
        SAME("%7s", char, 8);
        SAME("%5[0-9a]", char, 8);
        SAME("%5[^,e]", char, 8);
        SAME("%5[]^]", char, 8);
        SAME("%5[^]]", char, 8);
        SAME(" %c", char, 8);
        SAME("%%%d", int, 4);
        SAME("1%d", int, 4);
        SAME("%*d%d", int, 4);
        SAME("%*s %d", int, 4);
        SAME("%*c%d", int, 4);
    }
}

static void compare_scanning_floats(void) {
    for (int round = 0; round < 20000; round++) {
        char text[200];
        double value = any_double();
        if (value != value)
            continue;
        sprintf(text, below(2) ? "  %.*e,x" : "%.*g 7", (int)below(20), value);
        SAME("%lf", double, 8);
        SAME("%f", float, 4);
        SAME("%Lf", long double, 10);
        SAME("%4lf", double, 8);
        sprintf(text, "%a ", value);
        SAME("%la", double, 8);
    }
    static const char *const texts[] = {
        "",    " ",   "x",  "-",   ".",   "1e",    "-inf", "INFINITY", "nan", "1.5.5", ".5",
        "5.",  "0x",  "1e+", "1ex", "0x1pz", "0xz", "infi", "i",        "+.e1",
    };
    for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
        const char *text = texts[i];
        SAME("%f", float, 4);
    }
}

static void compare_whole_formats(void) {
    int ours[4], theirs[4];
    char our_word[16], their_word[16];
    static const char *const texts[] = {"3 apples 5,6", "3apples5,6", "",
                                        "3",            "3 x 5 ,6",   " 3\nq\t4, 5"};
    for (unsigned i = 0; i < 6; i++) {
        memset(ours, 0, sizeof ours);
        memset(theirs, 0, sizeof theirs);
        memset(our_word, 0, sizeof our_word);
        memset(their_word, 0, sizeof their_word);
        static const char format[] = "%d%15s%d ,%d";
        int our_count = ours___isoc99_sscanf(texts[i], format, ours, our_word, ours + 1, ours + 2);
        int their_count = sscanf(texts[i], format, theirs, their_word, theirs + 1, theirs + 2);
        CHECK(our_count == their_count && memcmp(ours, theirs, sizeof ours) == 0 &&
                  strcmp(our_word, their_word) == 0,
              "\"%s\": %d %d", texts[i], our_count, their_count);
    }
}

static void give(const char *text) {
    input = text;
    input_left = strlen(text);
    ours_clearerr(ours_stdin);
    while (ours_stdin->_IO_read_ptr < ours_stdin->_IO_read_end)
        ours_getchar();
}

static void check_reading(void) {
    char buffer[32], *line = NULL;
    size_t size = 0;
    give("ab\ncd");
    CHECK(ours_getchar() == 'a', "getchar");
    CHECK(ours_ungetc('x', ours_stdin) == 'x' && ours_ungetc('y', ours_stdin) == 'y', "ungetc");
    CHECK(ours_fgets(buffer, 32, ours_stdin) == buffer && strcmp(buffer, "yxb\n") == 0, "fgets");
    CHECK(ours_fgets(buffer, 2, ours_stdin) && strcmp(buffer, "c") == 0, "fgets of one");
    CHECK(!ours_feof(ours_stdin), "not at the end");
    CHECK(ours_fgets(buffer, 32, ours_stdin) && strcmp(buffer, "d") == 0, "the last line");
    CHECK(ours_feof(ours_stdin) && end_flag(ours_stdin), "at the end");
    CHECK(ours_fgets(buffer, 32, ours_stdin) == NULL && ours_getchar() == EOF, "nothing more");
    CHECK(ours_ungetc('z', ours_stdin) == 'z' && !ours_feof(ours_stdin), "pushed back at the end");
    CHECK(ours_getc(ours_stdin) == 'z' && ours_getc(ours_stdin) == EOF, "once");
    give("0123456789abcdefghi");
    ours_ungetc('!', ours_stdin);
    CHECK(ours_fread(buffer, 4, 4, ours_stdin) == 4 && memcmp(buffer, "!0123456789abcde", 16) == 0,
          "fread");
    CHECK(ours_fread(buffer, 4, 4, ours_stdin) == 1 && ours_feof(ours_stdin), "fread of the rest");
    CHECK(ours_fread(buffer, 0, 4, ours_stdin) == 0, "fread of nothing");
    give("one\n\nthree, a long line that does not fit into what is first allocated: "
         "0123456789012345678901234567890123456789012345678901234567890123456789\nlast");
    CHECK(ours_getline(&line, &size, ours_stdin) == 4 && strcmp(line, "one\n") == 0, "%s", line);
    CHECK(ours_getline(&line, &size, ours_stdin) == 1 && strcmp(line, "\n") == 0, "%s", line);
    CHECK(ours_getdelim(&line, &size, ',', ours_stdin) == 6 && strcmp(line, "three,") == 0, "%s",
          line);
    CHECK(ours_getline(&line, &size, ours_stdin) == 132 && size >= 133, "%zu", strlen(line));
    CHECK(ours_getline(&line, &size, ours_stdin) == 4 && strcmp(line, "last") == 0, "%s", line);
    CHECK(ours_getline(&line, &size, ours_stdin) == -1, "the end");
    free(line);
    give("q");
    CHECK(ours___uflow(ours_stdin) == 'q' && ours___uflow(ours_stdin) == EOF, "__uflow");
    CHECK(ours_getc(ours_stdout) == EOF && ours_ferror(ours_stdout), "stdout is not for reading");
    give("5 6x");
    int first, second;
    CHECK(ours_scanf("%d", &first) == 1 && ours_fscanf(ours_stdin, "%d", &second) == 1, "scanf");
    CHECK(first == 5 && second == 6 && ours_getchar() == 'x', "scanf leaves the rest");
}

static void check_writing(void) {
    written_count = 0;
    CHECK(ours_putchar('a') == 'a' && ours_fputc(0xe4, ours_stdout) == 0xe4, "putchar");
    CHECK(ours_puts("bc") == 3 && written_fd == 1 && ours_fputs("de", ours_stderr) == 1, "puts");
    CHECK(written_fd == 2 && ours_fwrite("fghi", 2, 2, ours_stdout) == 2, "fwrite");
    CHECK(ours_fwrite("x", 0, 1, ours_stdout) == 0 && ours___overflow(ours_stdout, 'j') == 'j',
          "__overflow");
    ours_errno = ENOENT;
    ours_perror("file");
    ours_perror(NULL);
    const char *expected = "a\xe4" "bc\ndefghijfile: No such file or directory\n"
                           "No such file or directory\n";
    CHECK(written_count == strlen(expected) && memcmp(written, expected, written_count) == 0, "%s",
          written);
    CHECK(ours_fileno(ours_stdin) == 0 && ours_fileno(ours_stderr) == 2, "fileno");
    CHECK(ours_stderr->_fileno == 2 && ours_fflush(NULL) == 0, "_fileno");
}

int main(void) {
    compare_scanning();
    compare_scanning_floats();
    compare_whole_formats();
    check_reading();
    check_writing();
    return finish();
}
