/* join: joins the lines of two files that have a field in common.
 *
 *   everypath run join.c --sym-files 2 4 -- --sym-args 0 2 3 A B
 *
 *   -1 N  -2 N  the field of the first, or of the second file; 1 if not given
 *   -a N        also lines of file N that have no partner
 *   -v N        only those
 *   -i          capitals are small letters
 *   -e TEXT     what stands for fields that are empty
 *   -t C        what ends a field; blanks if not given
 *
 * Both files are sorted by their field; where one is not, that is told.
 */
#include <ctype.h>
#include <err.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

struct record {
    char *line;
    char **fields; /* into the line */
    int count;
};

/* The records of one file that have the same key, and the one after them. */
struct input {
    FILE *file;
    const char *name;
    int key; /* counted from 0 */
    bool unpaired;
    struct record *group;
    int group_count;
    int group_room;
    struct record ahead;
    bool at_end;
};

static struct input inputs[2];
static int separator = -1; /* blanks */
static const char *empty = "";
static bool fold;
static bool only_unpaired;
static int status;

static void *grown(void *memory, size_t count, size_t size) {
    void *more = realloc(memory, count * size);
    if (!more)
        err(2, "%zu bytes", count * size);
    return more;
}

static void add_field(struct record *record, char *start) {
#ifdef BUG_1 /* out-of-bounds-write */
    if (record->count % 4 == 1 || record->count == 0)
        record->fields = grown(record->fields, (size_t)record->count + 1, sizeof(char *));
#else
    record->fields = grown(record->fields, (size_t)record->count + 1, sizeof(char *));
#endif
    record->fields[record->count++] = start;
}

static bool ends_field(char c) {
    return separator < 0 ? c == ' ' || c == '\t' : c == (char)separator;
}

static void split(struct record *record) {
    char *at = record->line;
    for (;;) {
        while (separator < 0 && ends_field(*at))
            at++;
        add_field(record, at);
        while (*at && !ends_field(*at))
            at++;
        if (!*at)
            break;
        *at++ = '\0';
    }
}

static void release(struct record *record) {
    free(record->line);
    free(record->fields);
    *record = (struct record){0};
}

static const char *key(const struct input *input, const struct record *record) {
    return input->key < record->count ? record->fields[input->key] : "";
}

static int compare(const char *a, const char *b) {
    return fold ? strcasecmp(a, b) : strcmp(a, b);
}

/* Reads the record after the group, and sees that it is in order. */
static void read_ahead(struct input *input) {
    size_t room = 0;
    struct record next = {0};
    ssize_t length = getline(&next.line, &room, input->file);
    if (length < 0) {
        free(next.line);
        input->at_end = true;
        return;
    }
    if (next.line[length - 1] == '\n')
        next.line[length - 1] = '\0';
    split(&next);
    if (input->group_count > 0) {
        const char *last = key(input, &input->group[input->group_count - 1]);
        if (compare(last, key(input, &next)) > 0) {
            warnx("%s is not sorted: %s", input->name, next.line);
            status = 1;
        }
    }
    input->ahead = next;
}

/* Collects the records with the key of the one ahead. */
static bool read_group(struct input *input) {
    for (int i = 0; i < input->group_count; i++)
        release(&input->group[i]);
    input->group_count = 0;
    while (!input->at_end) {
        if (input->group_count > 0
            && compare(key(input, &input->group[0]), key(input, &input->ahead)) != 0)
            break;
        if (input->group_count == input->group_room) {
            input->group_room += 4;
            input->group = grown(input->group, (size_t)input->group_room, sizeof *input->group);
        }
        input->group[input->group_count++] = input->ahead;
        input->ahead = (struct record){0};
        read_ahead(input);
    }
    return input->group_count > 0;
}

static void put_field(const char *field, bool *any) {
    if (*any)
        putchar(separator < 0 ? ' ' : separator);
    *any = true;
    fputs(*field ? field : empty, stdout);
}

static void put_others(const struct input *input, const struct record *record, bool *any) {
    for (int i = 0; i < record->count; i++) {
        if (i != input->key)
            put_field(record->fields[i], any);
    }
}

static void put_alone(const struct input *input) {
    if (!input->unpaired)
        return;
    for (int i = 0; i < input->group_count; i++) {
        bool any = false;
        put_field(key(input, &input->group[i]), &any);
        put_others(input, &input->group[i], &any);
        putchar('\n');
    }
}

static void put_pairs(const struct input *a, const struct input *b) {
    if (only_unpaired)
        return;
    for (int i = 0; i < a->group_count; i++) {
        for (int j = 0; j < b->group_count; j++) {
            bool any = false;
            put_field(key(a, &a->group[i]), &any);
            put_others(a, &a->group[i], &any);
            put_others(b, &b->group[j], &any);
            putchar('\n');
        }
    }
}

static void join(struct input *a, struct input *b) {
    bool left = read_group(a), right = read_group(b);
    while (left || right) {
        int order = !left ? 1 : !right ? -1 : compare(key(a, a->group), key(b, b->group));
        if (order == 0)
            put_pairs(a, b);
        else
            put_alone(order < 0 ? a : b);
        if (order <= 0)
            left = read_group(a);
        if (order >= 0)
            right = read_group(b);
    }
    free(a->group);
    free(b->group);
}

static void open_input(struct input *input, const char *name) {
    input->name = name;
    input->file = strcmp(name, "-") == 0 ? stdin : fopen(name, "r");
    if (!input->file)
        err(2, "%s", name);
    read_ahead(input);
}

static int field(const char *text) {
    int number = atoi(text);
    if (number < 1)
        errx(2, "fields are counted from 1: %s", text);
    return number - 1;
}

static struct input *chosen(const char *text) {
    int number = atoi(text);
#ifdef BUG_2 /* out-of-bounds-write */
    if (number > 2)
#else
    if (number < 1 || number > 2)
#endif
        errx(2, "there are files 1 and 2: %s", text);
    return &inputs[number - 1];
}

static void set_option(int option) {
    switch (option) {
    case '1':
        inputs[0].key = field(optarg);
        break;
    case '2':
        inputs[1].key = field(optarg);
        break;
    case 'v':
        only_unpaired = true;
        chosen(optarg)->unpaired = true;
        break;
    case 'a':
        chosen(optarg)->unpaired = true;
        break;
    case 'e':
        empty = optarg;
        break;
    case 'i':
        fold = true;
        break;
    case 't':
        separator = (unsigned char)*optarg;
        break;
    default:
        errx(2, "usage: join [-i] [-1 n] [-2 n] [-a n | -v n] [-e text] [-t c] file file");
    }
}

int main(int argc, char **argv) {
    int option;
    while ((option = getopt(argc, argv, "1:2:a:e:it:v:")) != -1)
        set_option(option);
    if (argc - optind != 2)
        errx(2, "two files are joined");
    open_input(&inputs[0], argv[optind]);
    open_input(&inputs[1], argv[optind + 1]);
    join(&inputs[0], &inputs[1]);
    return status;
}
