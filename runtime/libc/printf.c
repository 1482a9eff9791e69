/* stdio.h: formatted output.
 *
 * One core serves all functions. Output to memory or a file is the program's to look
 * at: a number that depends on inputs forks over its sign and its length. Output to
 * standard output and error is for a person: it shows example values and decides nothing, so that
 * printing a symbolic value does not multiply paths. If the program looks at the number
 * of bytes, it is the right one for every value, as arithmetic for integers and strings; a
 * floating-point number is followed for the example alone then, and the run is told so.
 * Floating point is in printf_float.c. */
#include "internal.h"

void ep_sink_put(struct ep_sink *sink, char byte) {
    sink->count++;
    if (!sink->stream) {
        if (sink->count < sink->capacity)
            sink->buffer[sink->count - 1] = byte;
        return;
    }
    if (sink->used == sink->capacity) {
        sink->failed |= ep_stream_write(sink->stream, sink->buffer, sink->used) < 0;
        sink->used = 0;
    }
    sink->buffer[sink->used++] = byte;
}

void ep_sink_fill(struct ep_sink *sink, char byte, long count) {
    for (; count > 0; count--)
        ep_sink_put(sink, byte);
}

static void put_bytes(struct ep_sink *sink, const char *bytes, long count) {
    for (long i = 0; i < count; i++)
        ep_sink_put(sink, bytes[i]);
}

static long length_of(const char *s) {
    return (long)strlen(s);
}

void ep_format_padded(struct ep_sink *sink, const struct ep_conversion *conversion,
                      const char *prefix, long zeros, const char *body, long length) {
    long prefix_length = length_of(prefix);
    long padding = conversion->width - prefix_length - zeros - length;
    if (conversion->zero && !conversion->left && padding > 0) {
        zeros += padding;
        padding = 0;
    }
    if (!conversion->left)
        ep_sink_fill(sink, ' ', padding);
    put_bytes(sink, prefix, prefix_length);
    ep_sink_fill(sink, '0', zeros);
    put_bytes(sink, body, length);
    if (conversion->left)
        ep_sink_fill(sink, ' ', padding);
}

static bool shows_examples(const struct ep_sink *sink) {
    return sink->stream && sink->stream->flags & EP_STREAM_SHOWN;
}

/* What is put of a value: itself, or an example of it where a person reads it. */
static uint64_t shown(const struct ep_sink *sink, uint64_t value) {
    return shows_examples(sink) ? __ep_example(value) : value;
}

/* Whether the bytes of a value have to be counted beside those of its example. */
static bool is_counted(const struct ep_sink *sink, uint64_t value) {
    return sink->is_counted && __ep_is_open(value);
}

/* Integers. */

/* The argument of an integer conversion is this long; `int` keeps 32 bits, and
 * so do the divisions that make its digits. */
enum length { CHAR, SHORT, INT, LONG, LONG_DOUBLE };

static uint64_t take_integer(struct ep_arguments *arguments, enum length length, int is_signed) {
    if (length == LONG || length == LONG_DOUBLE)
        return va_arg(arguments->list, uint64_t);
    unsigned value = va_arg(arguments->list, unsigned);
    switch (length) {
    case CHAR:
        return is_signed ? (uint64_t)(signed char)value : (unsigned char)value;
    case SHORT:
        return is_signed ? (uint64_t)(short)value : (unsigned short)value;
    case INT:
    case LONG:
    case LONG_DOUBLE:
        break;
    }
    return is_signed ? (uint64_t)(int)value : value;
}

static char digit(unsigned value, int upper) {
    unsigned after_nine = (upper ? 'A' : 'a') - '0' - 10;
    return (char)('0' + value + (value > 9) * after_nine);
}

/* Writes the digits before `end` and returns where they begin. */
static char *write_digits(char *end, uint64_t value, unsigned base, int upper, int is_long) {
    if (is_long) {
        do {
            *--end = digit((unsigned)(value % base), upper);
            value /= base;
        } while (value);
        return end;
    }
    uint32_t small = (uint32_t)value;
    do {
        *--end = digit(small % base, upper);
        small /= base;
    } while (small);
    return end;
}

static void format_integer(struct ep_sink *sink, const struct ep_conversion *conversion,
                           uint64_t value, unsigned base, const char *prefix, int is_long) {
    char digits[64];
    char *end = digits + sizeof digits, *first = end;
    if (conversion->precision != 0 || value != 0)
        first = write_digits(end, value, base, conversion->upper, is_long);
    long zeros = conversion->precision - (end - first);
    if (base == 8 && conversion->alternative && zeros <= 0 && (first == end || *first != '0'))
        zeros = 1;
    struct ep_conversion padding = *conversion;
    padding.zero &= conversion->precision < 0;
    ep_format_padded(sink, &padding, prefix, zeros > 0 ? zeros : 0, first, end - first);
}

/* As many bytes as format_integer() puts, without a branch. */
static long greater(long a, long b) {
    return a ^ ((a ^ b) & -(long)(a < b));
}

static long count_digits(uint64_t value, unsigned base) {
    long digits = 1;
    uint64_t power = base;
    for (uint64_t most = UINT64_MAX / base;; power *= base) {
        digits += value >= power;
        if (power > most)
            return digits;
    }
}

static long count_integer(const struct ep_conversion *conversion, uint64_t value, unsigned base,
                          long prefix) {
    long digits = count_digits(value, base);
    if (conversion->precision == 0)
        digits *= value != 0;
    long all = greater(digits, conversion->precision);
    if (base == 8 && conversion->alternative)
        all += (all == digits) & ((value != 0) | (digits == 0));
    return greater(prefix + all, conversion->width);
}

static long count_signed(const struct ep_conversion *conversion, int64_t value) {
    int is_negative = value < 0;
    uint64_t sign = -(uint64_t)is_negative, magnitude = ((uint64_t)value ^ sign) - sign;
    return count_integer(conversion, magnitude, 10,
                         is_negative | conversion->plus | conversion->space);
}

static long count_unsigned(const struct ep_conversion *conversion, uint64_t value, unsigned base) {
    int has_prefix = conversion->alternative && (base == 16 || base == 2);
    return count_integer(conversion, value, base, 2 * (has_prefix & (value != 0)));
}

static void format_signed(struct ep_sink *sink, const struct ep_conversion *conversion,
                          struct ep_arguments *arguments, enum length length) {
    int64_t real = (int64_t)take_integer(arguments, length, 1);
    int64_t value = (int64_t)shown(sink, (uint64_t)real);
    if (is_counted(sink, (uint64_t)real))
        sink->beyond += count_signed(conversion, real) - count_signed(conversion, value);
    int is_long = length >= LONG;
    const char *prefix = conversion->plus ? "+" : conversion->space ? " " : "";
    uint64_t magnitude = (uint64_t)value;
    if (value < 0) {
        prefix = "-";
        magnitude = -magnitude;
    }
    format_integer(sink, conversion, magnitude, 10, prefix, is_long);
}

static void format_unsigned(struct ep_sink *sink, const struct ep_conversion *conversion,
                            struct ep_arguments *arguments, enum length length) {
    uint64_t real = take_integer(arguments, length, 0), value = shown(sink, real);
    unsigned base = 10;
    const char *prefix = "";
    if (conversion->letter == 'o') {
        base = 8;
    } else if (conversion->letter == 'x') {
        base = 16;
        prefix = conversion->alternative && value ? (conversion->upper ? "0X" : "0x") : "";
    } else if (conversion->letter == 'b') {
        base = 2;
        prefix = conversion->alternative && value ? (conversion->upper ? "0B" : "0b") : "";
    }
    if (is_counted(sink, real))
        sink->beyond +=
            count_unsigned(conversion, real, base) - count_unsigned(conversion, value, base);
    format_integer(sink, conversion, value, base, prefix, length >= LONG);
}

static void format_pointer(struct ep_sink *sink, const struct ep_conversion *conversion,
                           struct ep_arguments *arguments) {
    uint64_t value = (uintptr_t)va_arg(arguments->list, void *);
    if (!sink->is_counted)
        value = shown(sink, value);
    struct ep_conversion padding = *conversion;
    if (value) {
        const char *prefix = conversion->plus ? "+0x" : conversion->space ? " 0x" : "0x";
        format_integer(sink, conversion, value, 16, prefix, 1);
    } else {
        padding.zero = 0;
        ep_format_padded(sink, &padding, "", 0, "(nil)", 5);
    }
}

/* Characters and strings. */

static void format_text(struct ep_sink *sink, const struct ep_conversion *conversion,
                        const char *text, long length) {
    struct ep_conversion padding = *conversion;
    padding.zero = 0;
    ep_format_padded(sink, &padding, "", 0, text, length);
}

/* How much of a string is put at most: everything without a precision. */
static long limit_of(const struct ep_conversion *conversion) {
    long precision = conversion->precision, is_none = -(long)(precision < 0);
    return (precision & ~is_none) | (LONG_MAX & is_none);
}

static void format_string(struct ep_sink *sink, const struct ep_conversion *conversion,
                          const char *s) {
    long limit = limit_of(conversion);
    if (!s)
        /* As glibc: all of it or nothing. */
        s = limit >= 6 ? "(null)" : "";
    if (!shows_examples(sink)) {
        format_text(sink, conversion, s, (long)strnlen(s, (size_t)limit));
        return;
    }
    size_t length = ep_length_for_all(s, (size_t)limit);
    const char *example = s;
    size_t shown = ep_example_of(&example, (size_t)limit, length);
    if (is_counted(sink, length))
        sink->beyond += greater((long)length, conversion->width) -
                        greater((long)shown, conversion->width);
    format_text(sink, conversion, example, (long)shown);
}

/* Wide characters: in the C locale, those of ASCII. */
static int format_wide(struct ep_sink *sink, const struct ep_conversion *conversion,
                       const wchar_t *s, long count) {
    long limit = conversion->precision < 0 || count == 1 ? LONG_MAX : conversion->precision;
    long length = 0;
    static const wchar_t null[] = L"(null)";
    if (!s)
        s = limit >= 6 ? null : null + 6;
    for (; length < count && length < limit && s[length]; length++)
        if ((unsigned)s[length] > 127) {
            errno = EILSEQ;
            return -1;
        }
    /* A nul that was asked for as a character is one. */
    if (count == 1 && length == 0)
        length = 1;
    if (!conversion->left)
        ep_sink_fill(sink, ' ', conversion->width - length);
    for (long i = 0; i < length; i++)
        ep_sink_put(sink, (char)s[i]);
    if (conversion->left)
        ep_sink_fill(sink, ' ', conversion->width - length);
    return 0;
}

/* Floating point: take it apart here, where an example can be shown instead. */

static void format_double(struct ep_sink *sink, const struct ep_conversion *conversion,
                          struct ep_arguments *arguments) {
    union {
        double value;
        uint64_t bits;
    } argument = {va_arg(arguments->list, double)};
    argument.bits =
        is_counted(sink, argument.bits) ? __ep_hold(argument.bits) : shown(sink, argument.bits);
    struct ep_float parts = ep_unpack_double(argument.value);
    ep_format_float(sink, conversion, &parts);
}

static void format_long_double(struct ep_sink *sink, const struct ep_conversion *conversion,
                               struct ep_arguments *arguments) {
    struct ep_float parts = ep_unpack_long_double(va_arg(arguments->list, long double));
    ep_format_float(sink, conversion, &parts);
}

/* The format. */

static const char *parse_flags(const char *at, struct ep_conversion *conversion) {
    for (;; at++) {
        switch (*at) {
        case '-':
            conversion->left = 1;
            break;
        case '+':
            conversion->plus = 1;
            break;
        case ' ':
            conversion->space = 1;
            break;
        case '#':
            conversion->alternative = 1;
            break;
        case '0':
            conversion->zero = 1;
            break;
        case '\'':
            /* Thousands are not grouped in the C locale. */
            break;
        default:
            return at;
        }
    }
}

/* A number in the format, or the next argument for a star; -1 if too large. */
static const char *parse_number(const char *at, int *number, struct ep_arguments *arguments) {
    if (*at == '*') {
        __ep_argument(&arguments->list, EP_INT, '*');
        *number = va_arg(arguments->list, int);
        return at + 1;
    }
    *number = 0;
    for (; ep_is_digit(*at); at++) {
        if (*number > (INT_MAX - 9) / 10)
            return NULL;
        *number = *number * 10 + (*at - '0');
    }
    return at;
}

static const char *parse_length(const char *at, enum length *length) {
    *length = INT;
    switch (*at) {
    case 'h':
        *length = at[1] == 'h' ? CHAR : SHORT;
        return at + (at[1] == 'h' ? 2 : 1);
    case 'l':
        *length = LONG;
        return at + (at[1] == 'l' ? 2 : 1);
    case 'j':
    case 'z':
    case 't':
    case 'q':
        *length = LONG;
        return at + 1;
    case 'L':
        *length = LONG_DOUBLE;
        return at + 1;
    default:
        return at;
    }
}

/* How many bytes were put so far. */
static long count_so_far(const struct ep_sink *sink) {
    return (long)sink->count + sink->beyond;
}

static void store_count(const struct ep_sink *sink, void *to, enum length length) {
    long count = count_so_far(sink);
    switch (length) {
    case CHAR:
        *(signed char *)to = (signed char)count;
        break;
    case SHORT:
        *(short *)to = (short)count;
        break;
    case INT:
        *(int *)to = (int)count;
        break;
    case LONG:
    case LONG_DOUBLE:
        *(long *)to = count;
        break;
    }
}

/* Whether a format may have %n in it, said too often rather than too rarely. */
static bool may_store_count(const char *format) {
    for (bool is_after_percent = false; *format; format++) {
        is_after_percent |= *format == '%';
        if (is_after_percent && *format == 'n')
            return true;
    }
    return false;
}

static void check_argument(const struct ep_conversion *conversion, enum length length,
                           const struct ep_arguments *arguments) {
    enum ep_taken taken;
    switch (conversion->letter) {
    case 'd':
    case 'i':
    case 'u':
    case 'o':
    case 'x':
    case 'X':
    case 'b':
    case 'B':
        taken = length >= LONG ? EP_LONG : EP_INT;
        break;
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
    case 'a':
    case 'A':
        taken = length == LONG_DOUBLE ? EP_LONG_DOUBLE : EP_DOUBLE;
        break;
    case 'c':
    case 'C':
        taken = EP_INT;
        break;
    case 'p':
        /* Addresses are kept in integers, too. */
        taken = EP_LONG;
        break;
    case 's':
    case 'S':
    case 'n':
        taken = EP_POINTER;
        break;
    default:
        return;
    }
    __ep_argument(&arguments->list, taken, conversion->letter);
}

static int format_one(struct ep_sink *sink, struct ep_conversion *conversion, enum length length,
                      struct ep_arguments *arguments) {
    switch (conversion->letter) {
    case 'd':
    case 'i':
        format_signed(sink, conversion, arguments, length);
        return 0;
    case 'X':
    case 'B':
    case 'E':
    case 'F':
    case 'G':
    case 'A':
        conversion->upper = 1;
        conversion->letter |= 32;
        return format_one(sink, conversion, length, arguments);
    case 'u':
    case 'o':
    case 'x':
    case 'b':
        format_unsigned(sink, conversion, arguments, length);
        return 0;
    case 'e':
    case 'f':
    case 'g':
    case 'a':
        if (length == LONG_DOUBLE)
            format_long_double(sink, conversion, arguments);
        else
            format_double(sink, conversion, arguments);
        return 0;
    case 'C':
    case 'c': {
        int c = va_arg(arguments->list, int);
        if (length == LONG || conversion->letter == 'C')
            return format_wide(sink, conversion, &(wchar_t){c}, 1);
        format_text(sink, conversion, &(char){(char)c}, 1);
        return 0;
    }
    case 'S':
    case 's':
        if (length == LONG || conversion->letter == 'S')
            return format_wide(sink, conversion, va_arg(arguments->list, wchar_t *), LONG_MAX);
        format_string(sink, conversion, va_arg(arguments->list, char *));
        return 0;
    case 'p':
        format_pointer(sink, conversion, arguments);
        return 0;
    case 'm':
        format_string(sink, conversion, strerror(errno));
        return 0;
    case '%':
        ep_sink_put(sink, '%');
        return 0;
    case 'n':
        store_count(sink, va_arg(arguments->list, void *), length);
        return 0;
    case '$':
        __ep_unsupported("numbered arguments in a printf format");
    default:
        return 1;
    }
}

static const char *format_conversion(struct ep_sink *sink, const char *at,
                                     struct ep_arguments *arguments) {
    const char *start = at - 1;
    struct ep_conversion conversion = {.precision = -1};
    enum length length;
    at = parse_flags(at, &conversion);
    if (!(at = parse_number(at, &conversion.width, arguments)))
        goto too_large;
    if (*at == '.' && !(at = parse_number(at + 1, &conversion.precision, arguments)))
        goto too_large;
    at = parse_length(at, &length);
    conversion.letter = *at;
    if (!sink->is_counted) {
        conversion.width = (int)shown(sink, (unsigned)conversion.width);
        /* How much of a string may be read is another matter. */
        if ((*at | 32) != 's')
            conversion.precision = (int)shown(sink, (unsigned)conversion.precision);
    }
    if (conversion.width < 0) {
        conversion.left = 1;
        conversion.width = -conversion.width;
    }
    if (!*at) {
        errno = EINVAL;
        return NULL;
    }
    check_argument(&conversion, length, arguments);
    int result = format_one(sink, &conversion, length, arguments);
    if (result > 0)
        /* Not a conversion: it stands for itself. */
        put_bytes(sink, start, at - start + 1);
    return result < 0 ? NULL : at + 1;
too_large:
    errno = EOVERFLOW;
    return NULL;
}

/* Formats everything and ends the sink; the number of bytes, or -1. */
int ep_format(struct ep_sink *sink, const char *format, va_list list) {
    struct ep_arguments arguments;
    int is_wrong = 0;
    va_copy(arguments.list, list);
    sink->is_counted =
        shows_examples(sink) && (__ep_is_result_read() || may_store_count(format));
    for (const char *at = format; !is_wrong && *at;) {
        if (*at != '%') {
            ep_sink_put(sink, *at++);
            continue;
        }
        const char *after = format_conversion(sink, at + 1, &arguments);
        is_wrong = !after;
        at = after;
    }
    va_end(arguments.list);
    if (!sink->stream) {
        if (sink->capacity > 0)
            sink->buffer[sink->count < sink->capacity ? sink->count : sink->capacity - 1] = 0;
    } else if (sink->used > 0) {
        sink->failed |= ep_stream_write(sink->stream, sink->buffer, sink->used) < 0;
    }
    if (sink->count > INT_MAX) {
        errno = EOVERFLOW;
        return -1;
    }
    return is_wrong || sink->failed ? -1 : (int)count_so_far(sink);
}
