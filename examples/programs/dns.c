/* dns: reads a message of the Domain Name System (RFC 1035) from standard input and shows it.
 *
 *   everypath run dns.c --sym-stdin 34 --look-ahead
 *
 * Names may be compressed: two high bits make a length a pointer to another name. Every
 * length and pointer comes from a stranger, which is why parsers of DNS are known for errors.
 */
#include <ctype.h>
#include <err.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST = 512, HEADER = 12, LONGEST_NAME = 64 };

static uint8_t message[LARGEST];
static size_t size;
static size_t at;

static void fail(const char *what) {
    errx(1, "byte %zu: %s", at, what);
}

static void need(size_t count) {
    if (size - at < count)
        fail("the message ends here");
}

static uint8_t byte(void) {
    need(1);
    return message[at++];
}

static uint16_t word(void) {
    uint8_t high = byte();
    return (uint16_t)(high << 8 | byte());
}

static uint32_t long_word(void) {
    uint32_t high = word();
    return high << 16 | word();
}

/* A name as text; labels are joined by dots, and what is no letter becomes \ddd. */
struct name {
    char text[LONGEST_NAME];
    size_t used;
};

static void put(struct name *name, char c) {
#ifndef BUG_1 /* out-of-bounds-write */
    if (name->used + 1 == sizeof name->text)
        fail("a name is too long");
#endif
    name->text[name->used++] = c;
}

static void put_label(struct name *name, const uint8_t *label, size_t length) {
    for (size_t i = 0; i < length; i++) {
        if (isalnum(label[i]) || label[i] == '-' || label[i] == '_') {
            put(name, (char)label[i]);
        } else {
            put(name, '\\');
            put(name, (char)('0' + label[i] / 100));
            put(name, (char)('0' + label[i] / 10 % 10));
            put(name, (char)('0' + label[i] % 10));
        }
    }
    put(name, '.');
}

/* Where a pointer leads: backwards only, or a name could go in circles. */
static size_t target(size_t from, uint8_t high) {
    if (from + 1 >= size)
        fail("a pointer is cut off");
    size_t to = (size_t)(high & 63) << 8 | message[from + 1];
#ifdef BUG_2 /* out-of-bounds-read */
    if (to < HEADER || to == from)
#else
    if (to < HEADER || to >= from)
#endif
        fail("a pointer leads forward");
    return to;
}

static struct name read_name(void) {
    struct name name = {.used = 0};
    size_t place = at;
    bool jumped = false;
    for (;;) {
#ifndef BUG_2
        if (place >= size)
            fail("a name is cut off");
#endif
        uint8_t length = message[place];
        if (length >> 6 == 3) {
            size_t to = target(place, length);
            if (!jumped)
                at = place + 2;
            jumped = true;
            place = to;
            continue;
        }
        if (length >> 6 != 0)
            fail("an unknown kind of label");
        place++;
        if (length == 0)
            break;
        if (size - place < length)
            fail("a label is cut off");
        put_label(&name, message + place, length);
        place += length;
    }
    if (!jumped)
        at = place;
    if (name.used == 0)
        put(&name, '.');
    name.text[name.used] = '\0';
    return name;
}

enum type { A = 1, NS = 2, CNAME = 5, PTR = 12, MX = 15, TXT = 16, AAAA = 28 };

static const char *type_name(uint16_t type) {
    switch (type) {
    case A:
        return "A";
    case NS:
        return "NS";
    case CNAME:
        return "CNAME";
    case PTR:
        return "PTR";
    case MX:
        return "MX";
    case TXT:
        return "TXT";
    case AAAA:
        return "AAAA";
    default:
        return NULL;
    }
}

static void put_type(uint16_t type) {
    const char *name = type_name(type);
    if (name)
        printf(" %s", name);
    else
        printf(" TYPE%u", type);
}

static void put_class(uint16_t class) {
    if (class == 1)
        printf(" IN");
    else
        printf(" CLASS%u", class);
}

static void put_flags(uint16_t flags) {
    static const char *const codes[] = {"no error", "format error", "server failure",
                                        "no such name", "not implemented", "refused"};
    static const struct {
        uint16_t bit;
        const char *name;
    } bits[] = {{0x0400, "authoritative"}, {0x0200, "truncated"}, {0x0100, "recursion"}};
    printf("%s", flags & 0x8000 ? "response" : "query");
    for (size_t i = 0; i < sizeof bits / sizeof *bits; i++) {
        if (flags & bits[i].bit)
            printf(", %s", bits[i].name);
    }
    unsigned code = flags & 15;
    if (code < sizeof codes / sizeof *codes)
        printf(", %s\n", codes[code]);
    else
        printf(", code %u\n", code);
}

static void put_texts(size_t end) {
    while (at < end) {
        uint8_t length = byte();
        if (length > end - at)
            fail("a text is longer than its record");
        printf(" \"%.*s\"", length, (const char *)message + at);
        at += length;
    }
}

static void put_data(uint16_t type, uint16_t length) {
    size_t end = at + length;
    if (type == A && length == 4) {
        printf(" %u.%u.%u.%u", message[at], message[at + 1], message[at + 2], message[at + 3]);
        at = end;
    } else if (type == AAAA && length == 16) {
        for (int i = 0; i < 8; i++)
            printf("%c%x", i ? ':' : ' ', word());
    } else if (type == NS || type == CNAME || type == PTR) {
        printf(" %s", read_name().text);
    } else if (type == MX) {
        unsigned preference = word();
        printf(" %u %s", preference, read_name().text);
    } else if (type == TXT) {
        put_texts(end);
    } else {
        printf(" (%u bytes)", length);
        at = end;
    }
    if (at != end)
        fail("a record has another length than its data");
}

static void put_question(void) {
    struct name name = read_name();
    printf("? %s", name.text);
    put_type(word());
    put_class(word());
    putchar('\n');
}

static void put_record(const char *section) {
    struct name name = read_name();
    uint16_t type = word();
    uint16_t class = word();
    uint32_t lifetime = long_word();
    uint16_t length = word();
    need(length);
    printf("%s %s %u", section, name.text, lifetime);
    put_class(class);
    put_type(type);
    put_data(type, length);
    putchar('\n');
}

int main(void) {
    static const char *const sections[] = {"=", "@", "+"};
    size = fread(message, 1, sizeof message, stdin);
    need(HEADER);
    printf("message %u: ", word());
    put_flags(word());
    unsigned questions = word();
    unsigned records[3];
    for (int i = 0; i < 3; i++)
        records[i] = word();
    while (questions-- > 0)
        put_question();
    for (int i = 0; i < 3; i++) {
        while (records[i]-- > 0)
            put_record(sections[i]);
    }
    if (at != size)
        warnx("%zu bytes are left over", size - at);
    return 0;
}
