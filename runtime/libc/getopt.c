/* getopt.h: options on a command line, with glibc's order of arguments and messages. */
#include "internal.h"

struct option {
    const char *name;
    int has_arg;
    int *flag;
    int val;
};

char *optarg;
int optind = 1, opterr = 1, optopt = '?';

/* Where the next letter of a group such as -abc is, and the arguments that were passed
 * over because they are no options: argv[first_skipped] up to argv[last_skipped]. */
static char *next_letter;
static int first_skipped, last_skipped;

int fprintf(FILE *restrict stream, const char *restrict format, ...);
char *getenv(const char *name);
char *strchr(const char *s, int c);
int strcmp(const char *left, const char *right);
int strncmp(const char *left, const char *right, size_t count);

/* Moves the arguments that were passed over behind the options after them. */
static void exchange(char **argv) {
    int bottom = first_skipped, middle = last_skipped, top = optind;
    for (int moved = 0; moved < top - middle; moved++) {
        char *option = argv[middle + moved];
        for (int at = middle + moved; at > bottom + moved; at--)
            argv[at] = argv[at - 1];
        argv[bottom + moved] = option;
    }
    first_skipped += top - middle;
    last_skipped = top;
}

static int is_plain(const char *argument) {
    return argument[0] != '-' || argument[1] == 0;
}

struct search {
    const struct option *found;
    int index, is_ambiguous;
};

/* The option of this name, or the one it is a beginning of. */
static struct search find_long(const struct option *options, const char *name, size_t length) {
    struct search search = {0};
    for (int i = 0; options[i].name; i++) {
        if (strncmp(options[i].name, name, length) != 0)
            continue;
        int is_exact = options[i].name[length] == 0;
        const struct option *other = search.found;
        if (is_exact || !other) {
            search = (struct search){&options[i], i, 0};
            if (is_exact)
                return search;
        } else if (other->has_arg != options[i].has_arg || other->flag != options[i].flag ||
                   other->val != options[i].val) {
            search.is_ambiguous = 1;
        }
    }
    return search;
}

static int complain(int is_loud, char **argv, const char *format, const char *dashes,
                    const char *name, int result) {
    if (is_loud)
        fprintf(stderr, format, argv[0], dashes, name);
    return result;
}

/* The long option at argv[optind], whose name begins after the dashes. */
static int take_long(int argc, char **argv, const char *letters, const struct option *options,
                     int *index, const char *dashes, int is_loud) {
    char *name = argv[optind] + strlen(dashes);
    size_t length = 0;
    while (name[length] && name[length] != '=')
        length++;
    struct search search = find_long(options, name, length);
    if (search.is_ambiguous) {
        optind++;
        optopt = 0;
        return complain(is_loud, argv, "%s: option '%s%s' is ambiguous\n", dashes, name, '?');
    }
    const struct option *found = search.found;
    if (!found) {
        /* With one dash, what is no long option may be a group of letters. */
        if (dashes[1] == 0 && strchr(letters, name[0]))
            return -2;
        optind++;
        optopt = 0;
        next_letter = NULL;
        return complain(is_loud, argv, "%s: unrecognized option '%s%s'\n", dashes, name, '?');
    }
    optind++;
    next_letter = NULL;
    if (name[length] == '=') {
        if (!found->has_arg) {
            optopt = found->val;
            return complain(is_loud, argv, "%s: option '%s%s' doesn't allow an argument\n", dashes,
                            found->name, '?');
        }
        optarg = name + length + 1;
    } else if (found->has_arg == 1) {
        if (optind >= argc) {
            optopt = found->val;
            return complain(is_loud, argv, "%s: option '%s%s' requires an argument\n", dashes,
                            found->name, letters[0] == ':' ? ':' : '?');
        }
        optarg = argv[optind++];
    }
    if (index)
        *index = search.index;
    if (!found->flag)
        return found->val;
    *found->flag = found->val;
    return 0;
}

static int take_letter(int argc, char **argv, const char *letters, int is_loud) {
    char letter = *next_letter++;
    const char *entry = letter == ':' || letter == ';' ? NULL : strchr(letters, letter);
    if (*next_letter == 0)
        optind++;
    if (!entry) {
        if (is_loud)
            fprintf(stderr, "%s: invalid option -- '%c'\n", argv[0], letter);
        optopt = (unsigned char)letter;
        return '?';
    }
    if (entry[1] != ':')
        return (unsigned char)letter;
    if (*next_letter) {
        optarg = next_letter;
        optind++;
    } else if (entry[2] == ':') {
        optarg = NULL;
    } else if (optind < argc) {
        optarg = argv[optind++];
    } else {
        if (is_loud)
            fprintf(stderr, "%s: option requires an argument -- '%c'\n", argv[0], letter);
        optopt = (unsigned char)letter;
        next_letter = NULL;
        return letters[0] == ':' ? ':' : '?';
    }
    next_letter = NULL;
    return (unsigned char)letter;
}

static int next_option(int argc, char **argv, const char *letters, const struct option *options,
                       int *index, int one_dash) {
    enum { PERMUTE, IN_ORDER, STOP } order = PERMUTE;
    if (argc < 1)
        return -1;
    optarg = NULL;
    if (optind == 0) {
        optind = 1;
        next_letter = NULL;
        first_skipped = last_skipped = 0;
    }
    if (first_skipped == 0)
        first_skipped = last_skipped = optind;
    if (*letters == '-' || *letters == '+')
        order = *letters++ == '-' ? IN_ORDER : STOP;
    else if (getenv("POSIXLY_CORRECT"))
        order = STOP;
    int is_loud = opterr && *letters != ':';
    if (!next_letter || !*next_letter) {
        if (last_skipped > optind)
            last_skipped = optind;
        if (first_skipped > optind)
            first_skipped = optind;
        if (order == PERMUTE) {
            if (first_skipped != last_skipped && last_skipped != optind)
                exchange(argv);
            else if (last_skipped != optind)
                first_skipped = optind;
            while (optind < argc && is_plain(argv[optind]))
                optind++;
            last_skipped = optind;
        }
        if (optind < argc && strcmp(argv[optind], "--") == 0) {
            optind++;
            if (first_skipped != last_skipped && last_skipped != optind)
                exchange(argv);
            else if (first_skipped == last_skipped)
                first_skipped = optind;
            last_skipped = argc;
            optind = argc;
        }
        if (optind >= argc) {
            if (first_skipped != last_skipped)
                optind = first_skipped;
            return -1;
        }
        if (is_plain(argv[optind])) {
            if (order == STOP)
                return -1;
            optarg = argv[optind++];
            return 1;
        }
        if (options && argv[optind][1] == '-')
            return take_long(argc, argv, letters, options, index, "--", is_loud);
        if (options && one_dash && (argv[optind][2] || !strchr(letters, argv[optind][1]))) {
            int result = take_long(argc, argv, letters, options, index, "-", is_loud);
            if (result != -2)
                return result;
        }
        next_letter = argv[optind] + 1;
    }
    return take_letter(argc, argv, letters, is_loud);
}

int getopt(int argc, char *const *argv, const char *letters) {
    return next_option(argc, (char **)argv, letters, NULL, NULL, 0);
}

int __posix_getopt(int argc, char *const *argv, const char *letters) {
    return getopt(argc, argv, letters);
}

int getopt_long(int argc, char *const *argv, const char *letters, const struct option *options,
                int *index) {
    return next_option(argc, (char **)argv, letters, options, index, 0);
}

int getopt_long_only(int argc, char *const *argv, const char *letters,
                     const struct option *options, int *index) {
    return next_option(argc, (char **)argv, letters, options, index, 1);
}
