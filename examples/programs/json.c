/* json: reads a JSON text, checks it, and writes it again: indented, or compact with -c.
 *
 *   everypath run json.c --sym-stdin 8
 *   everypath run json.c --sym-stdin 12 --grammar json.bnf
 *   everypath run json.c --sym-args 1 1 4 --sym-stdin 9 --search coverage-new
 *
 *   -c  compact    -k  the keys of objects in order    .key, [n]  only this part of it
 */
#include <ctype.h>
#include <err.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum type { NOTHING, TRUTH, NUMBER, TEXT, ARRAY, OBJECT };

struct value {
    enum type type;
    bool truth;
    char *text;          /* of a number as it was written; of a text without escapes */
    char *key;           /* if it is in an object */
    struct value *first; /* of an array or an object */
    struct value *next;
};

enum { DEEPEST = 32 };

static int ahead;
static unsigned line = 1, column;

static void advance(void) {
    if (ahead == '\n') {
        line++;
        column = 0;
    }
    ahead = getchar();
    column++;
}

static void fail(const char *what) {
    errx(1, "line %u, column %u: %s", line, column, what);
}

static void skip_space(void) {
    while (ahead == ' ' || ahead == '\t' || ahead == '\n' || ahead == '\r')
        advance();
}

static void expect(int c, const char *what) {
    if (ahead != c)
        fail(what);
    advance();
}

struct buffer {
    char *text;
    size_t used;
    size_t room;
};

static void append(struct buffer *buffer, int c) {
#ifdef BUG_1 /* out-of-bounds-write */
    if (buffer->used > buffer->room || buffer->room == 0) {
#else
    if (buffer->used + 1 >= buffer->room) {
#endif
        buffer->room = buffer->room ? 2 * buffer->room : 4;
        buffer->text = realloc(buffer->text, buffer->room);
        if (!buffer->text)
            err(1, "%zu bytes", buffer->room);
    }
    buffer->text[buffer->used++] = (char)c;
    buffer->text[buffer->used] = '\0';
}

static void append_utf8(struct buffer *buffer, unsigned code) {
    if (code < 0x80) {
        append(buffer, (int)code);
    } else if (code < 0x800) {
        append(buffer, (int)(0xc0 | code >> 6));
        append(buffer, (int)(0x80 | (code & 63)));
    } else {
        append(buffer, (int)(0xe0 | code >> 12));
        append(buffer, (int)(0x80 | (code >> 6 & 63)));
        append(buffer, (int)(0x80 | (code & 63)));
    }
}

static unsigned hex_digits(void) {
    unsigned code = 0;
    for (int i = 0; i < 4; i++) {
        if (!isxdigit(ahead))
            fail("four hexadecimal digits belong after \\u");
        unsigned digit = (unsigned)(isdigit(ahead) ? ahead - '0' : tolower(ahead) - 'a' + 10);
        code = code << 4 | digit;
        advance();
    }
    return code;
}

static void escape(struct buffer *buffer) {
    static const char letters[] = "\"\\/bfnrt";
    static const char values[] = "\"\\/\b\f\n\r\t";
    advance();
    if (ahead == 'u') {
        advance();
        append_utf8(buffer, hex_digits());
        return;
    }
    const char *letter = ahead > 0 ? strchr(letters, ahead) : NULL;
    if (!letter)
        fail("an unknown escape");
    append(buffer, values[letter - letters]);
    advance();
}

static char *text(void) {
    struct buffer buffer = {0};
    expect('"', "a text is expected");
    while (ahead != '"') {
        if (ahead == EOF)
            fail("a text does not end");
        if (ahead < ' ')
            fail("a control character in a text");
        if (ahead == '\\') {
            escape(&buffer);
        } else {
            append(&buffer, ahead);
            advance();
        }
    }
    advance();
    return buffer.text ? buffer.text : strdup("");
}

static void digits(struct buffer *buffer) {
    if (!isdigit(ahead))
        fail("a digit is expected");
    while (isdigit(ahead)) {
        append(buffer, ahead);
        advance();
    }
}

static char *number(void) {
    struct buffer buffer = {0};
    if (ahead == '-') {
        append(&buffer, ahead);
        advance();
    }
    if (ahead == '0') {
        append(&buffer, ahead);
        advance();
    } else {
        digits(&buffer);
    }
    if (ahead == '.') {
        append(&buffer, ahead);
        advance();
        digits(&buffer);
    }
    if (ahead == 'e' || ahead == 'E') {
        append(&buffer, 'e');
        advance();
        if (ahead == '+' || ahead == '-') {
            append(&buffer, ahead);
            advance();
        }
        digits(&buffer);
    }
    return buffer.text;
}

static void word(const char *rest) {
    for (; *rest; rest++)
        expect(*rest, "true, false and null are the only words");
}

static struct value *new_value(enum type type) {
    struct value *value = calloc(1, sizeof *value);
    if (!value)
        err(1, "a value");
    value->type = type;
    return value;
}

static void release(struct value *value) {
    while (value) {
        struct value *next = value->next;
        release(value->first);
#ifdef BUG_2 /* double-free */
        if (value->key && !*value->key)
            free(value->key);
#endif
        free(value->text);
        free(value->key);
        free(value);
        value = next;
    }
}

static struct value *value(int depth);

static struct value *container(enum type type, int close, int depth) {
    struct value *all = new_value(type);
    struct value **end = &all->first;
    advance();
    skip_space();
    if (ahead == close) {
        advance();
        return all;
    }
    for (;;) {
        char *key = NULL;
        skip_space();
        if (type == OBJECT) {
            key = text();
            skip_space();
            expect(':', "a colon belongs after a key");
        }
        *end = value(depth + 1);
        (*end)->key = key;
        end = &(*end)->next;
        if (ahead != ',')
            break;
        advance();
    }
    expect(close, "a comma or the end of an array or object is expected");
    return all;
}

static struct value *scalar(void) {
    struct value *value;
    switch (ahead) {
    case 'n':
        word("null");
        return new_value(NOTHING);
    case 't':
        word("true");
        value = new_value(TRUTH);
        value->truth = true;
        return value;
    case 'f':
        word("false");
        return new_value(TRUTH);
    case '"':
        value = new_value(TEXT);
        value->text = text();
        return value;
    default:
        value = new_value(NUMBER);
        value->text = number();
        return value;
    }
}

static struct value *value(int depth) {
    struct value *value;
    if (depth > DEEPEST)
        fail("too many arrays within each other");
    skip_space();
    if (ahead == '[')
        value = container(ARRAY, ']', depth);
    else if (ahead == '{')
        value = container(OBJECT, '}', depth);
    else
        value = scalar();
    skip_space();
    return value;
}

static bool compact;

static void new_line(int depth) {
    if (!compact)
        printf("\n%*s", 2 * depth, "");
}

static void put_text(const char *text) {
    putchar('"');
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            printf("\\%c", *text);
        else if ((unsigned char)*text < ' ')
            printf("\\u%04x", *text);
        else
            putchar(*text);
    }
    putchar('"');
}

static void put(const struct value *value, int depth);

static void put_container(const struct value *all, char open, char close, int depth) {
    putchar(open);
    for (const struct value *part = all->first; part; part = part->next) {
        new_line(depth + 1);
        if (part->key) {
            put_text(part->key);
            fputs(compact ? ":" : ": ", stdout);
        }
        put(part, depth + 1);
        if (part->next)
            putchar(',');
    }
    if (all->first)
        new_line(depth);
    putchar(close);
}

static void put(const struct value *value, int depth) {
    if (value->type == ARRAY)
        put_container(value, '[', ']', depth);
    else if (value->type == OBJECT)
        put_container(value, '{', '}', depth);
    else if (value->type == TEXT)
        put_text(value->text);
    else if (value->type == NUMBER)
        fputs(value->text, stdout);
    else if (value->type == TRUTH)
        fputs(value->truth ? "true" : "false", stdout);
    else
        fputs("null", stdout);
}

/* Insertion sort: lists are short, and equal keys keep their order. */
static void sort_keys(struct value *all) {
    struct value *sorted = NULL;
    while (all->first) {
        struct value *part = all->first;
        all->first = part->next;
        sort_keys(part);
        struct value **place = &sorted;
        while (*place && (all->type == ARRAY || strcmp((*place)->key, part->key) <= 0))
            place = &(*place)->next;
        part->next = *place;
        *place = part;
    }
    all->first = sorted;
}

/* The part that .key or [n] names; NULL if there is none. */
static const struct value *select_part(const struct value *all, const char *path) {
    const struct value *part = all->first;
    if (*path == '.' && all->type == OBJECT) {
        while (part && strcmp(part->key, path + 1) != 0)
            part = part->next;
    } else if (*path == '[' && all->type == ARRAY) {
        for (int place = atoi(path + 1); part && place > 0; place--)
            part = part->next;
    } else {
        part = NULL;
    }
    return part;
}

int main(int argc, char **argv) {
    int option;
    bool sorted = false;
    while ((option = getopt(argc, argv, "ck")) != -1) {
        if (option == 'c')
            compact = true;
        else if (option == 'k')
            sorted = true;
        else
            errx(2, "usage: json [-ck] [.key | [n]]");
    }
    advance();
    struct value *all = value(0);
    if (ahead != EOF)
        fail("something stands after the value");
    if (sorted)
        sort_keys(all);
    const struct value *part = optind < argc ? select_part(all, argv[optind]) : all;
    if (!part)
        errx(1, "there is no %s", argv[optind]);
    put(part, 0);
    putchar('\n');
    release(all);
    return 0;
}
