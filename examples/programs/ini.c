/* ini: reads a file of sections and keys, and answers queries about it.
 *
 *   everypath run ini.c --sym-stdin 8
 *   everypath run ini.c --sym-stdin 6 --sym-args 1 3 3
 *
 *   ini                 writes everything in normal form
 *   ini SECTION         the keys of a section
 *   ini SECTION KEY     one value
 *   -b   the value as a truth: yes, true, on, 1      -i   as a number
 *
 * Comments begin with ; or #, values may be in quotes, and a backslash at its end continues
 * a line. A key that is given twice has its last value.
 */
#include <ctype.h>
#include <err.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

struct entry {
    char *key;
    char *value;
    struct entry *next;
};

struct section {
    char *name;
    struct entry *entries;
    struct section *next;
};

static struct section *sections;
static unsigned line_number;
static int mistakes;

static void *need(void *memory) {
    if (!memory)
        err(2, "memory");
    return memory;
}

static void mistake(const char *what) {
    warnx("line %u: %s", line_number, what);
    mistakes++;
}

static struct section *find_section(const char *name) {
    struct section *section = sections;
    while (section && strcasecmp(section->name, name) != 0)
        section = section->next;
    return section;
}

static struct section *section_for(const char *name) {
    struct section *section = find_section(name);
    if (section)
        return section;
    struct section **end = &sections;
    while (*end)
        end = &(*end)->next;
    section = need(calloc(1, sizeof *section));
    section->name = need(strdup(name));
    *end = section;
    return section;
}

static struct entry *find_entry(const struct section *section, const char *key) {
    struct entry *entry = section->entries;
    while (entry && strcasecmp(entry->key, key) != 0)
        entry = entry->next;
    return entry;
}

static void set(struct section *section, const char *key, const char *value) {
    struct entry *entry = find_entry(section, key);
    if (entry) {
#ifdef BUG_1 /* use-after-free */
        free(entry->value);
        if (strcmp(entry->value, value) == 0)
            return;
#else
        free(entry->value);
#endif
    } else {
        entry = need(calloc(1, sizeof *entry));
        entry->key = need(strdup(key));
        entry->next = section->entries;
        section->entries = entry;
    }
    entry->value = need(strdup(value));
}

static char *trimmed(char *text) {
    while (isspace((unsigned char)*text))
        text++;
    char *end = text + strlen(text);
#ifdef BUG_2 /* out-of-bounds-read */
    while (isspace((unsigned char)end[-1]))
#else
    while (end > text && isspace((unsigned char)end[-1]))
#endif
        end--;
    *end = '\0';
    return text;
}

/* A comment after a value begins with a blank and a semicolon. */
static void cut_comment(char *text) {
    for (char *at = text; *at; at++) {
        if (*at == ';' && (at == text || isspace((unsigned char)at[-1]))) {
            *at = '\0';
            return;
        }
    }
}

/* Takes quotes off, and what \" and \\ mean inside. */
static char *unquoted(char *text) {
    if (*text != '"') {
        cut_comment(text);
        return trimmed(text);
    }
    char *to = text;
    char *from = text + 1;
    while (*from && *from != '"') {
        if (*from == '\\' && from[1])
            from++;
        *to++ = *from++;
    }
    if (!*from)
        mistake("a quote is not closed");
    *to = '\0';
    return text;
}

static struct section *read_header(char *text) {
    char *end = strchr(text, ']');
    if (!end) {
        mistake("a `]` is missing");
        return NULL;
    }
    *end = '\0';
    char *name = trimmed(text + 1);
    if (!*name)
        mistake("a section has no name");
    char *rest = trimmed(end + 1);
    if (*rest && *rest != ';' && *rest != '#')
        mistake("something stands after the header");
    return section_for(name);
}

static void read_entry(struct section *section, char *text) {
    char *equals = strpbrk(text, "=:");
    if (!equals) {
        mistake("a key without a value");
        return;
    }
    *equals = '\0';
    char *key = trimmed(text);
    if (!*key) {
        mistake("a value without a key");
        return;
    }
    set(section, key, unquoted(trimmed(equals + 1)));
}

/* Reads a line, and those that continue it. */
static bool read_line(char **text, size_t *room, FILE *file) {
    ssize_t length = getline(text, room, file);
    if (length < 0)
        return false;
    line_number++;
    while (length >= 2 && strcmp(*text + length - 2, "\\\n") == 0) {
        char *more = NULL;
        size_t more_room = 0;
        ssize_t more_length = getline(&more, &more_room, file);
        (*text)[length -= 2] = '\0';
        if (more_length >= 0) {
            line_number++;
            *text = need(realloc(*text, (size_t)(length + more_length) + 1));
            *room = (size_t)(length + more_length) + 1;
            memcpy(*text + length, more, (size_t)more_length + 1);
            length += more_length;
        }
        free(more);
    }
    return true;
}

static void read_all(FILE *file) {
    struct section *section = section_for("");
    char *line = NULL;
    size_t room = 0;
    while (read_line(&line, &room, file)) {
        char *text = trimmed(line);
        if (!*text || *text == ';' || *text == '#')
            continue;
        if (*text == '[') {
            struct section *named = read_header(text);
            section = named ? named : section;
        } else {
            read_entry(section, text);
        }
    }
    free(line);
}

static void put_section(const struct section *section) {
    if (*section->name)
        printf("[%s]\n", section->name);
    for (const struct entry *entry = section->entries; entry; entry = entry->next)
        printf("%s = %s\n", entry->key, entry->value);
}

static int put_truth(const char *value) {
    static const char *const yes[] = {"yes", "true", "on", "1"};
    for (size_t i = 0; i < sizeof yes / sizeof *yes; i++) {
        if (strcasecmp(yes[i], value) == 0) {
            puts("true");
            return 0;
        }
    }
    puts("false");
    return 1;
}

static int put_number(const char *value) {
    char *end;
    errno = 0;
    long number = strtol(value, &end, 0);
    if (errno || end == value || *end) {
        warnx("not a number: %s", value);
        return 2;
    }
    printf("%ld\n", number);
    return 0;
}

static void release(void) {
    while (sections) {
        struct section *section = sections;
        sections = section->next;
        while (section->entries) {
            struct entry *entry = section->entries;
            section->entries = entry->next;
            free(entry->key);
            free(entry->value);
            free(entry);
        }
        free(section->name);
        free(section);
    }
}

static int answer(int count, char **query, int form) {
    if (count == 0) {
        for (const struct section *section = sections; section; section = section->next)
            put_section(section);
        return mistakes > 0;
    }
    const struct section *section = find_section(query[0]);
    if (!section) {
        warnx("there is no section %s", query[0]);
        return 2;
    }
    if (count == 1) {
        put_section(section);
        return 0;
    }
    const struct entry *entry = find_entry(section, query[1]);
    if (!entry) {
        warnx("there is no key %s", query[1]);
        return 2;
    }
    if (form == 'b')
        return put_truth(entry->value);
    if (form == 'i')
        return put_number(entry->value);
    puts(entry->value);
    return 0;
}

int main(int argc, char **argv) {
    int option, form = 0;
    while ((option = getopt(argc, argv, "bi")) != -1) {
        if (option == '?')
            errx(2, "usage: ini [-b | -i] [section [key]]");
        form = option;
    }
    if (argc - optind > 2)
        errx(2, "a section and a key are all that can be given");
    read_all(stdin);
    int status = answer(argc - optind, argv + optind, form);
    release();
    return status;
}
