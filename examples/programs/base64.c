/* base64: encodes or decodes standard input or a file.
 *
 *   everypath run base64.c --sym-args 0 2 4 --sym-stdin 6
 *   everypath run base64.c --sym-stdin 6 -- -d
 *
 *   -d        decodes                        -u  the letters of URLs: - and _
 *   -i        skips what is no letter        -w N  lines of N letters, 76 if not given; 0: one
 *   -x        base16 instead                 -y  base32 instead
 */
#include <ctype.h>
#include <err.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A code takes `group` bytes to `letters` letters of `bits` bits each. */
struct code {
    const char *alphabet;
    int bits;
    int group;
    int letters;
};

static const struct code base16 = {"0123456789ABCDEF", 4, 1, 2};
static const struct code base32 = {"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 5, 5, 8};
static const struct code base64 = {
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", 6, 3, 4};
static const struct code base64_url = {
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_", 6, 3, 4};

static struct {
    const struct code *code;
    bool decode;
    bool skip;
    long width;
} options = {.code = &base64, .width = 76};

static long column;

static void put_letter(char letter) {
    putchar(letter);
    if (options.width > 0 && ++column == options.width) {
        putchar('\n');
        column = 0;
    }
}

/* How many letters carry bits of this many bytes. */
static int letters_for(const struct code *code, int bytes) {
    return (bytes * 8 + code->bits - 1) / code->bits;
}

static void encode_group(const struct code *code, const unsigned char *bytes, int count) {
    uint64_t group = 0;
    for (int i = 0; i < code->group; i++)
        group = group << 8 | (i < count ? bytes[i] : 0);
    int used = letters_for(code, count);
    for (int i = 0; i < code->letters; i++) {
        if (i >= used) {
            put_letter('=');
            continue;
        }
        int shift = (code->letters - 1 - i) * code->bits;
        put_letter(code->alphabet[group >> shift & ((1u << code->bits) - 1)]);
    }
}

/* The last group may be short; a stream may give less than was asked for. */
static void encode(FILE *file) {
    const struct code *code = options.code;
    unsigned char bytes[8];
    int count = 0;
    int c;
    while ((c = getc(file)) != EOF) {
        bytes[count++] = (unsigned char)c;
        if (count == code->group) {
            encode_group(code, bytes, count);
            count = 0;
        }
    }
    if (count > 0)
        encode_group(code, bytes, count);
    if (column > 0 || options.width == 0)
        putchar('\n');
}

enum { NO_LETTER = -1 };

/* The value of a letter, as a table: the alphabet is gone through once. */
static signed char values[128];

static void build_values(const struct code *code) {
    memset(values, NO_LETTER, sizeof values);
    for (int i = 0; code->alphabet[i]; i++)
        values[(unsigned char)code->alphabet[i]] = (signed char)i;
}

static int letter_value(int c) {
#ifdef BUG_1 /* out-of-bounds-read */
    return values[c];
#else
    return c < 128 ? values[c] : NO_LETTER;
#endif
}

struct decoder {
    uint64_t group;
    int letters;
    int padding;
};

/* Writes the bytes of a group that is complete, or that padding made so. */
static void finish_group(const struct code *code, struct decoder *decoder) {
    int bytes = decoder->letters * code->bits / 8;
    if (letters_for(code, bytes) != decoder->letters)
        errx(1, "the last group has a letter too many");
    int missing = code->letters - decoder->letters;
#ifdef BUG_2 /* shift */
    uint32_t group = (uint32_t)decoder->group << missing * 16;
#else
    uint64_t group = decoder->group << missing * code->bits;
#endif
    for (int i = 0; i < bytes; i++)
        putchar((int)(group >> (code->group - 1 - i) * 8 & 255));
    *decoder = (struct decoder){0};
}

static void decode_letter(const struct code *code, struct decoder *decoder, int value) {
    if (decoder->padding > 0)
        errx(1, "a letter stands after the padding");
    decoder->group = decoder->group << code->bits | (uint64_t)value;
    if (++decoder->letters == code->letters)
        finish_group(code, decoder);
}

static void decode_padding(const struct code *code, struct decoder *decoder) {
    decoder->padding++;
    if (decoder->letters == 0)
        errx(1, "padding stands where a group begins");
    if (decoder->letters + decoder->padding == code->letters)
        finish_group(code, decoder);
}

static void decode(FILE *file) {
    const struct code *code = options.code;
    struct decoder decoder = {0};
    build_values(code);
    int c;
    while ((c = getc(file)) != EOF) {
        int value = letter_value(code == &base16 || code == &base32 ? toupper(c) : c);
        if (c == '\n' || c == '\r')
            continue;
        if (c == '=')
            decode_padding(code, &decoder);
        else if (value != NO_LETTER)
            decode_letter(code, &decoder, value);
        else if (!options.skip)
            errx(1, isprint(c) ? "`%c` is no letter of the code" : "byte %d is no letter", c);
    }
    if (decoder.letters > 0)
        errx(1, "the last group is not complete");
}

static long width(const char *text) {
    char *end;
    long value = strtol(text, &end, 10);
    if (end == text || *end || value < 0)
        errx(1, "%s is no width of lines", text);
    return value;
}

static void set_option(int option) {
    switch (option) {
    case 'd':
        options.decode = true;
        break;
    case 'i':
        options.skip = true;
        break;
    case 'u':
        options.code = &base64_url;
        break;
    case 'w':
        options.width = width(optarg);
        break;
    case 'x':
        options.code = &base16;
        break;
    case 'y':
        options.code = &base32;
        break;
    default:
        errx(1, "usage: base64 [-diuxy] [-w width] [file]");
    }
}

int main(int argc, char **argv) {
    int option;
    while ((option = getopt(argc, argv, "diuw:xy")) != -1)
        set_option(option);
    FILE *file = stdin;
    if (optind < argc && strcmp(argv[optind], "-") != 0)
        file = fopen(argv[optind], "r");
    if (!file)
        err(1, "%s", argv[optind]);
    if (options.decode)
        decode(file);
    else
        encode(file);
    if (ferror(file))
        err(1, "cannot read on");
    if (file != stdin)
        fclose(file);
    return 0;
}
