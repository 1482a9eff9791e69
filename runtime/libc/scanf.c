/* stdio.h: formatted input, from strings and from streams. */
#include "internal.h"

int fgetc(FILE *stream);
int ungetc(int c, FILE *stream);
float strtof(const char *restrict s, char **restrict end);
double strtod(const char *restrict s, char **restrict end);
long double strtold(const char *restrict s, char **restrict end);

/* Where characters come from, with one of them in hand. */
struct source {
    const char *string; /* NULL for a stream */
    FILE *stream;
    int in_hand; /* the next character, EOF at the end */
    long count;  /* characters taken so far */
};

static void look(struct source *source) {
    if (!source->string)
        source->in_hand = fgetc(source->stream);
    else
        source->in_hand = *source->string ? (unsigned char)*source->string : EOF;
}

static void take(struct source *source) {
    source->count++;
    if (source->string)
        source->string++;
    look(source);
}

static void skip_space(struct source *source) {
    while (source->in_hand != EOF && ep_is_space((unsigned char)source->in_hand))
        take(source);
}

/* One conversion specification. */
enum length { CHAR, SHORT, INT, LONG, LONG_DOUBLE };
struct directive {
    int is_dropped; /* %*d */
    long width;     /* LONG_MAX when none was given */
    enum length length;
    char letter;
    const char *set; /* for %[: what is in the brackets */
    const char *set_end;
    int set_is_negated;
};

static const char *parse_set(const char *at, struct directive *directive) {
    directive->set_is_negated = *at == '^';
    at += directive->set_is_negated;
    directive->set = at;
    if (*at == ']')
        at++;
    while (*at && *at != ']')
        at++;
    directive->set_end = at;
    return *at ? at + 1 : NULL;
}

/* What follows a percent sign; NULL if it is no directive. */
static const char *parse_directive(const char *at, struct directive *directive) {
    *directive = (struct directive){.width = LONG_MAX, .length = INT};
    if (*at == '*') {
        directive->is_dropped = 1;
        at++;
    }
    if (ep_is_digit(*at)) {
        directive->width = 0;
        for (; ep_is_digit(*at); at++)
            if (directive->width < INT_MAX)
                directive->width = directive->width * 10 + (*at - '0');
    }
    switch (*at) {
    case 'h':
        directive->length = at[1] == 'h' ? CHAR : SHORT;
        at += at[1] == 'h' ? 2 : 1;
        break;
    case 'l':
        directive->length = LONG;
        at++;
        if (*at == 'l') {
            directive->length = LONG_DOUBLE;
            at++;
        }
        break;
    case 'j':
    case 'z':
    case 't':
        directive->length = LONG;
        at++;
        break;
    case 'L':
    case 'q':
        directive->length = LONG_DOUBLE;
        at++;
        break;
    case 'm':
        __ep_unsupported("%m in a scanf format");
    default:
        break;
    }
    directive->letter = *at;
    if (*at == '[')
        return parse_set(at + 1, directive);
    return *at ? at + 1 : NULL;
}

/* Whether a character is in the brackets: one question, whatever is in them. */
static int is_in_set(const struct directive *directive, int c) {
    int found = 0;
    for (const char *at = directive->set; at < directive->set_end; at++) {
        int low = (unsigned char)*at, high = low;
        if (at[1] == '-' && at + 2 < directive->set_end) {
            at += 2;
            high = (unsigned char)*at;
        }
        found |= (c >= low) & (c <= high);
    }
    return found != directive->set_is_negated;
}

/* What scanning one directive came to. */
enum outcome { MATCHED, MISMATCHED, ENDED };

static enum outcome no_match(const struct source *source) {
    return source->in_hand == EOF ? ENDED : MISMATCHED;
}

static void store_integer(const struct directive *directive, void *to, uint64_t value) {
    switch (directive->length) {
    case CHAR:
        *(unsigned char *)to = (unsigned char)value;
        break;
    case SHORT:
        *(unsigned short *)to = (unsigned short)value;
        break;
    case INT:
        *(unsigned *)to = (unsigned)value;
        break;
    case LONG:
    case LONG_DOUBLE:
        *(uint64_t *)to = value;
        break;
    }
}

static enum outcome scan_integer(struct source *source, const struct directive *directive,
                                 unsigned base, int is_signed, uint64_t *value) {
    long left = directive->width;
    int negative = 0, is_too_large = 0, has_digits = 0;
    uint64_t magnitude = 0;
    if (left > 0 && ((source->in_hand == '-') | (source->in_hand == '+'))) {
        negative = source->in_hand == '-';
        take(source);
        left--;
    }
    if (left > 0 && (base == 0 || base == 16) && source->in_hand == '0') {
        has_digits = 1;
        take(source);
        left--;
        if (left > 0 && (source->in_hand | 32) == 'x' && source->in_hand != EOF) {
            /* glibc takes a 0x that nothing follows for a zero. */
            base = 16;
            take(source);
            left--;
        } else if (base == 0) {
            base = 8;
        }
    }
    base = base ? base : 10;
    for (; left > 0 && source->in_hand != EOF; left--) {
        unsigned digit = ep_digit_value((unsigned char)source->in_hand);
        if (digit >= base)
            break;
        has_digits = 1;
        is_too_large |= magnitude > (UINT64_MAX - digit) / base;
        magnitude = magnitude * base + digit;
        take(source);
    }
    if (!has_digits)
        return MISMATCHED;
    *value = negative ? -magnitude : magnitude;
    if (is_signed && (is_too_large || magnitude > (uint64_t)LONG_MAX + (unsigned)negative))
        *value = negative ? (uint64_t)LONG_MIN : (uint64_t)LONG_MAX;
    else if (is_too_large)
        *value = UINT64_MAX;
    return MATCHED;
}

/* Collects the text of a floating-point number as strtod() would read it. */
struct number_text {
    char text[512];
    int length;
    long left;
};

static int accept(struct source *source, struct number_text *number, int is_wanted) {
    if (!is_wanted || number->left <= 0 || number->length == sizeof number->text - 1)
        return 0;
    number->text[number->length++] = (char)source->in_hand;
    number->left--;
    take(source);
    return 1;
}

static int accept_word(struct source *source, struct number_text *number, const char *word) {
    while (*word && accept(source, number, (source->in_hand | 32) == *word))
        word++;
    return !*word;
}

static int is_digit(int c, int base) {
    return c != EOF && (int)ep_digit_value((unsigned char)c) < base;
}

static int scan_number_text(struct source *source, struct number_text *number) {
    accept(source, number, (source->in_hand == '-') | (source->in_hand == '+'));
    if ((source->in_hand | 32) == 'i') {
        if (!accept_word(source, number, "inf"))
            return 0;
        return (source->in_hand | 32) != 'i' || accept_word(source, number, "inity");
    }
    if ((source->in_hand | 32) == 'n')
        return accept_word(source, number, "nan");
    int base = 10, digits = 0;
    if (accept(source, number, source->in_hand == '0')) {
        digits = 1;
        if (accept(source, number, (source->in_hand | 32) == 'x')) {
            base = 16;
            digits = 0;
        }
    }
    while (accept(source, number, is_digit(source->in_hand, base)))
        digits++;
    if (accept(source, number, source->in_hand == '.'))
        while (accept(source, number, is_digit(source->in_hand, base)))
            digits++;
    if (!digits)
        return 0;
    if (accept(source, number, (source->in_hand | 32) == (base == 10 ? 'e' : 'p'))) {
        accept(source, number, (source->in_hand == '-') | (source->in_hand == '+'));
        /* Like glibc, take an exponent without digits and leave it out. */
        while (accept(source, number, is_digit(source->in_hand, 10)))
            ;
    }
    return 1;
}

static enum outcome scan_float(struct source *source, const struct directive *directive, void *to) {
    struct number_text number = {.left = directive->width};
    if (!scan_number_text(source, &number))
        return MISMATCHED;
    number.text[number.length] = 0;
    if (!to)
        return MATCHED;
    if (directive->length == LONG)
        *(double *)to = strtod(number.text, NULL);
    else if (directive->length == LONG_DOUBLE)
        *(long double *)to = strtold(number.text, NULL);
    else
        *(float *)to = strtof(number.text, NULL);
    return MATCHED;
}

/* Stores a character of a text; a wide one where the format says so. */
static void store_character(const struct directive *directive, void *to, long at, int c) {
    if (directive->length != LONG) {
        ((char *)to)[at] = (char)c;
        return;
    }
    if ((unsigned char)c > 127)
        __ep_unsupported("characters beyond ASCII in formatted wide input or output");
    ((wchar_t *)to)[at] = (wchar_t)c;
}

/* %c, %s and %[: characters into an array. */
static enum outcome scan_text(struct source *source, const struct directive *directive, void *to) {
    long left = directive->width, length = 0;
    if (directive->letter == 'c' && left == LONG_MAX)
        left = 1;
    for (; left > 0 && source->in_hand != EOF; left--) {
        int c = source->in_hand;
        if (directive->letter == 's' && ep_is_space((unsigned char)c))
            break;
        if (directive->letter == '[' && !is_in_set(directive, c))
            break;
        if (to)
            store_character(directive, to, length, c);
        length++;
        take(source);
    }
    if (length == 0)
        return no_match(source);
    if (to && directive->letter != 'c')
        store_character(directive, to, length, 0);
    return MATCHED;
}

static enum outcome scan_one(struct source *source, const struct directive *directive,
                             struct ep_arguments *arguments) {
    unsigned base = 10;
    int is_signed = 0;
    char letter = directive->letter;
    if (letter != 'c' && letter != '[' && letter != 'n')
        skip_space(source);
    if (letter != 'n' && source->in_hand == EOF)
        return ENDED;
    if (letter == '%') {
        if (source->in_hand != '%')
            return MISMATCHED;
        take(source);
        return MATCHED;
    }
    if (!directive->is_dropped)
        __ep_argument(&arguments->list, EP_POINTER, letter);
    void *to = directive->is_dropped ? NULL : va_arg(arguments->list, void *);
    switch (letter) {
    case 'i':
        base = 0;
        is_signed = 1;
        break;
    case 'd':
        is_signed = 1;
        break;
    case 'u':
        break;
    case 'o':
        base = 8;
        break;
    case 'x':
    case 'X':
    case 'p':
        base = 16;
        break;
    case 'c':
    case 's':
    case '[':
        return scan_text(source, directive, to);
    case 'n':
        if (to)
            store_integer(directive, to, (uint64_t)source->count);
        return MATCHED;
    default:
        /* a, e, f and g in either case. */
        return scan_float(source, directive, to);
    }
    uint64_t value;
    enum outcome outcome = scan_integer(source, directive, base, is_signed, &value);
    if (outcome == MATCHED && letter == 'p' && to)
        *(uint64_t *)to = value;
    else if (outcome == MATCHED && to)
        store_integer(directive, to, value);
    return outcome;
}

static int is_conversion(char letter) {
    static const char known[] = "diuoxXpcs[naAeEfFgG%";
    int found = 0;
    for (const char *at = known; *at; at++)
        found |= *at == letter;
    return found;
}

static int scan(struct source *source, const char *format, va_list list) {
    struct ep_arguments arguments;
    int assigned = 0;
    enum outcome outcome = MATCHED;
    va_copy(arguments.list, list);
    look(source);
    while (*format && outcome == MATCHED) {
        if (ep_is_space((unsigned char)*format)) {
            skip_space(source);
            format++;
        } else if (*format != '%') {
            outcome = source->in_hand == (unsigned char)*format ? MATCHED : no_match(source);
            if (outcome == MATCHED)
                take(source);
            format++;
        } else {
            struct directive directive;
            format = parse_directive(format + 1, &directive);
            if (!format || !is_conversion(directive.letter))
                break;
            outcome = scan_one(source, &directive, &arguments);
            assigned += outcome == MATCHED && directive.letter != '%' && directive.letter != 'n' &&
                        !directive.is_dropped;
        }
    }
    va_end(arguments.list);
    if (!source->string && source->in_hand != EOF)
        ungetc(source->in_hand, source->stream);
    return outcome == ENDED && assigned == 0 ? EOF : assigned;
}

int vsscanf(const char *restrict s, const char *restrict format, va_list arguments) {
    struct source source = {.string = s};
    return scan(&source, format, arguments);
}

int vfscanf(FILE *restrict stream, const char *restrict format, va_list arguments) {
    struct source source = {.stream = stream};
    return scan(&source, format, arguments);
}

int vscanf(const char *restrict format, va_list arguments) {
    return vfscanf(stdin, format, arguments);
}

/* The same with the arguments in the call, under the names the headers use. */
#define FAMILY(prefix)                                                                             \
    int prefix##sscanf(const char *restrict s, const char *restrict format, ...) {                 \
        EP_FORWARD(vsscanf(s, format, arguments));                                                 \
    }                                                                                              \
    int prefix##fscanf(FILE *restrict stream, const char *restrict format, ...) {                  \
        EP_FORWARD(vfscanf(stream, format, arguments));                                            \
    }                                                                                              \
    int prefix##scanf(const char *restrict format, ...) {                                          \
        EP_FORWARD(vscanf(format, arguments));                                                     \
    }

FAMILY()
FAMILY(__isoc99_)
FAMILY(__isoc23_)

#define LIST_FAMILY(prefix)                                                                        \
    int prefix##vsscanf(const char *restrict s, const char *restrict format, va_list arguments) {  \
        return vsscanf(s, format, arguments);                                                      \
    }                                                                                              \
    int prefix##vfscanf(FILE *restrict stream, const char *restrict format, va_list arguments) {   \
        return vfscanf(stream, format, arguments);                                                 \
    }                                                                                              \
    int prefix##vscanf(const char *restrict format, va_list arguments) {                           \
        return vscanf(format, arguments);                                                          \
    }

LIST_FAMILY(__isoc99_)
LIST_FAMILY(__isoc23_)
