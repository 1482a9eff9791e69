/* stdio.h: files and memory as streams, compared with the system's. */
#define _GNU_SOURCE
#include "harness.h"

OURS(fopen);
OURS(fdopen);
OURS(freopen);
OURS(fclose);
OURS(fputs);
OURS(fprintf);
OURS(fgetc);
OURS(fgets);
OURS(fread);
OURS(fwrite);
OURS(fseek);
OURS(ftell);
OURS(rewind);
OURS(ungetc);
OURS(feof);
OURS(ferror);
OURS(fileno);
OURS(tmpfile);
OURS(remove);
OURS(rename);
OURS(fmemopen);
OURS(open_memstream);
OURS(fopencookie);

static char folder[] = "/tmp/everypath-streams-XXXXXX";

static const char *in_folder(const char *name) {
    static char path[2][256];
    static int turn;
    turn ^= 1;
    snprintf(path[turn], sizeof path[turn], "%s/%s", folder, name);
    return path[turn];
}

/* Random operations on two streams of the same content, one of each library. */
static void compare_operations(FILE *theirs, FILE *ours, int writes) {
    for (int step = 0; step < 60; step++) {
        char left[16] = {0}, right[16] = {0};
        long offset = (long)below(40) - 5;
        int whence = (int)below(3);
        switch (below(writes ? 7 : 5)) {
        case 0: {
            int a = fseek(theirs, offset, whence), b = ours_fseek(ours, offset, whence);
            CHECK(a == b, "fseek %ld %d gives %d, not %d", offset, whence, b, a);
            /* Where a failed one leaves memory is not said. */
            if (a != 0) {
                rewind(theirs);
                ours_rewind(ours);
            }
            break;
        }
        case 1: {
            long a = ftell(theirs), b = ours_ftell(ours);
            CHECK(a == b, "ftell gives %ld, not %ld", b, a);
            break;
        }
        case 2: {
            size_t count = below(12), a = fread(left, 1, count, theirs);
            size_t b = ours_fread(right, 1, count, ours);
            CHECK(a == b && memcmp(left, right, sizeof left) == 0, "fread gives %zu, not %zu", b,
                  a);
            break;
        }
        case 3: {
            int a = fgetc(theirs), b = ours_fgetc(ours);
            CHECK(a == b, "fgetc gives %d, not %d", b, a);
            /* Another character than was read has no position in glibc. */
            if (a != EOF && below(2)) {
                a = ungetc(a, theirs);
                b = ours_ungetc(b, ours);
                CHECK(a == b, "ungetc gives %d, not %d", b, a);
            }
            break;
        }
        case 4: {
            char *a = fgets(left, 9, theirs), *b = ours_fgets(right, 9, ours);
            CHECK(!a == !b && memcmp(left, right, sizeof left) == 0, "fgets gives %s, not %s",
                  right, left);
            CHECK(!feof(theirs) == !ours_feof(ours), "feof differs");
            break;
        }
        default: {
            /* C wants a position to be set between reading and writing. */
            fseek(theirs, 0, SEEK_CUR);
            ours_fseek(ours, 0, SEEK_CUR);
            int a = fprintf(theirs, "%ld\n", offset), b = ours_fprintf(ours, "%ld\n", offset);
            CHECK(a == b, "fprintf gives %d, not %d", b, a);
            fseek(theirs, 0, SEEK_CUR);
            break;
        }
        }
    }
}

static void files(void) {
    static const char *const modes[] = {"r", "r+", "w+", "a+", "w", "a", "x", "wx"};
    for (int round = 0; round < 400; round++) {
        const char *mode = modes[below(8)];
        for (int ours = 0; ours < 2; ours++) {
            FILE *fresh = fopen(in_folder(ours ? "ours" : "theirs"), "w");
            for (int i = 0; i < 30; i++)
                fputc(i % 7 == 6 ? '\n' : 'a' + i % 26, fresh);
            fclose(fresh);
        }
        FILE *theirs = fopen(in_folder("theirs"), mode);
        FILE *ours = ours_fopen(in_folder("ours"), mode);
        CHECK(!theirs == !ours, "fopen %s", mode);
        if (!theirs || !ours)
            continue;
        int reads = mode[0] == 'r' || strchr(mode, '+');
        if (reads)
            compare_operations(theirs, ours, strchr(mode, '+') != NULL);
        else
            CHECK(fputs("text", theirs) >= 0 && ours_fputs("text", ours) >= 0, "fputs %s", mode);
        CHECK(fclose(theirs) == ours_fclose(ours), "fclose");
        char left[8192] = {0}, right[8192] = {0};
        theirs = fopen(in_folder("theirs"), "r");
        ours = fopen(in_folder("ours"), "r");
        size_t a = fread(left, 1, sizeof left, theirs), b = fread(right, 1, sizeof right, ours);
        CHECK(a == b && memcmp(left, right, a) == 0, "after %s the file is %s, not %s", mode,
              right, left);
        fclose(theirs);
        fclose(ours);
    }
    CHECK(!ours_fopen(in_folder("none"), "r") && ours_errno == ENOENT, "a file that is not there");
    CHECK(!ours_fopen(in_folder("none"), "q") && ours_errno == EINVAL, "a mode that is none");
    CHECK(ours_rename(in_folder("ours"), in_folder("moved")) == 0, "rename");
    CHECK(ours_remove(in_folder("moved")) == 0 && ours_remove(in_folder("moved")) == -1, "remove");
    FILE *temporary = ours_tmpfile();
    CHECK(temporary && ours_fputs("x", temporary) >= 0, "tmpfile");
    ours_rewind(temporary);
    CHECK(ours_fgetc(temporary) == 'x' && ours_fgetc(temporary) == EOF, "tmpfile is read back");
    CHECK(ours_fclose(temporary) == 0, "tmpfile is closed");
    FILE *again = ours_fopen(in_folder("theirs"), "r");
    again = ours_freopen(in_folder("theirs"), "w", again);
    CHECK(again && ours_fputs("again", again) >= 0 && ours_fclose(again) == 0, "freopen");
}

static void memory(void) {
    char text[] = "some text\nof two lines", copy[] = "some text\nof two lines";
    for (int round = 0; round < 100; round++) {
        FILE *theirs = fmemopen(text, sizeof text - 1, "r");
        FILE *ours = ours_fmemopen(copy, sizeof copy - 1, "r");
        compare_operations(theirs, ours, 0);
        fclose(theirs);
        ours_fclose(ours);
    }
    char *left = NULL, *right = NULL;
    size_t left_size = 0, right_size = 0;
    FILE *theirs = open_memstream(&left, &left_size);
    FILE *ours = ours_open_memstream(&right, &right_size);
    for (int i = 0; i < 300; i++) {
        int number = (int)any_integer();
        fprintf(theirs, "%d,", number);
        ours_fprintf(ours, "%d,", number);
        fflush(theirs);
        CHECK(left_size == right_size && strcmp(left, right) == 0, "open_memstream");
    }
    fclose(theirs);
    ours_fclose(ours);
    CHECK(strcmp(left, right) == 0, "what is left of open_memstream");
    free(left);
    free(right);
}

static char taken[64];
static ssize_t take(void *cookie, const char *bytes, size_t count) {
    strncat(cookie, bytes, count);
    return (ssize_t)count;
}

static void cookies(void) {
    cookie_io_functions_t functions = {.write = take};
    FILE *stream = ours_fopencookie(taken, "w", functions);
    CHECK(ours_fprintf(stream, "%d and %s", 7, "text") == 10, "fopencookie");
    CHECK(ours_fgetc(stream) == EOF, "nothing can be read");
    CHECK(ours_fclose(stream) == 0 && strcmp(taken, "7 and text") == 0, "it says %s", taken);
}

int main(void) {
    if (!mkdtemp(folder))
        return 2;
    files();
    memory();
    cookies();
    remove(in_folder("theirs"));
    rmdir(folder);
    return finish();
}
