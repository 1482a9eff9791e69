/* printf: writes its arguments as a format says.
 *
 *   everypath run printf.c --sym-args 0 2 5
 *
 * The format knows the flags - + space 0 #, widths and precisions, also as *, and the
 * conversions %d %i %o %u %x %X %c %s %b %%; and the escapes \a \b \c \f \n \r \t \v \\ \0101 \101.
 * It is used again as long as there are arguments.
 */
#include <ctype.h>
#include <err.h>
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char **arguments; /* those that are left; NULL ends them */
static int status;

enum { WIDEST = 64 };

static const char *next_text(void) {
#ifdef BUG_1 /* null-dereference */
    return *arguments++;
#else
    return *arguments ? *arguments++ : "";
#endif
}

static void complain(const char *text, const char *why) {
    warnx("%s: %s", text, why);
    status = 1;
}

/* A number in C's notation, or the code of a character after a quote. */
static intmax_t next_number(void) {
    if (!*arguments)
        return 0;
    const char *text = *arguments++;
    char *end;
    if (*text == '"' || *text == '\'') {
        if (text[1] && text[2])
            complain(text, "only the first character counts");
        return (unsigned char)text[1];
    }
    errno = 0;
    intmax_t number = strtoimax(text, &end, 0);
    if (errno)
        complain(text, strerror(errno));
    else if (end == text)
        complain(text, "a number is expected");
    else if (*end)
        complain(text, "not all of it is a number");
    return number;
}

static bool octal(char c) {
    return c >= '0' && c <= '7';
}

static int octal_number(const char **at, int most) {
    int value = 0;
    for (int i = 0; i < most && octal(**at); i++)
        value = value * 8 + *(*at)++ - '0';
    return value & 255;
}

/* What follows a backslash. In arguments of %b, octal numbers begin with 0. */
static void put_escape(const char **at, bool argument) {
    static const char letters[] = "abfnrtv\\";
    static const char values[] = "\a\b\f\n\r\t\v\\";
    if (octal(**at)) {
        if (argument && **at == '0')
            ++*at;
        putchar(octal_number(at, 3));
        return;
    }
    char c = **at;
    if (c == 'c') {
        fflush(stdout);
        exit(status);
    }
#ifdef BUG_2 /* out-of-bounds-read */
    const char *letter = strchr(letters, c);
    ++*at;
#else
    if (c == '\0') {
        putchar('\\');
        return;
    }
    const char *letter = strchr(letters, c);
    ++*at;
#endif
    if (letter) {
        putchar(values[letter - letters]);
    } else {
        putchar('\\');
        putchar(c);
    }
}

static void put_escaped(const char *text) {
    while (*text) {
        if (*text == '\\') {
            text++;
            put_escape(&text, true);
        } else
            putchar(*text++);
    }
}

struct conversion {
    bool left;
    bool plus;
    bool space;
    bool zeros;
    bool other_form;
    int width;
    int precision; /* -1: none */
};

static bool set_flag(struct conversion *conversion, char flag) {
    switch (flag) {
    case '-':
        return conversion->left = true;
    case '+':
        return conversion->plus = true;
    case ' ':
        return conversion->space = true;
    case '0':
        return conversion->zeros = true;
    case '#':
        return conversion->other_form = true;
    default:
        return false;
    }
}

static int bounded(intmax_t number) {
    return number > WIDEST ? WIDEST : number < -WIDEST ? -WIDEST : (int)number;
}

static int count(const char **at) {
    if (**at == '*') {
        ++*at;
        return bounded(next_number());
    }
    int value = 0;
    while (isdigit((unsigned char)**at))
        value = bounded(value * 10 + *(*at)++ - '0');
    return value;
}

static struct conversion read_conversion(const char **at) {
    struct conversion conversion = {.precision = -1};
    while (set_flag(&conversion, **at))
        ++*at;
    conversion.width = count(at);
    if (conversion.width < 0) {
        conversion.left = true;
        conversion.width = -conversion.width;
    }
    if (**at == '.') {
        ++*at;
        conversion.precision = count(at);
    }
    return conversion;
}

static void fill(int times, char c) {
    while (times-- > 0)
        putchar(c);
}

/* `prefix` stands before zeros that fill up, and `text` after them. */
static void put_padded(const struct conversion *conversion, const char *prefix, const char *text,
                       int length, int zeros) {
    int blanks = conversion->width - (int)strlen(prefix) - zeros - length;
    if (!conversion->left)
        fill(blanks, ' ');
    fputs(prefix, stdout);
    fill(zeros, '0');
    fwrite(text, 1, (size_t)length, stdout);
    if (conversion->left)
        fill(blanks, ' ');
}

static void put_digits(const struct conversion *conversion, const char *prefix, uintmax_t number,
                       unsigned base, bool capitals) {
    const char *digits = capitals ? "0123456789ABCDEF" : "0123456789abcdef";
    char text[24];
    char *end = text + sizeof text;
    char *start = end;
    while (number) {
        *--start = digits[number % base];
        number /= base;
    }
    int length = (int)(end - start);
    int least = conversion->precision < 0 ? 1 : conversion->precision;
    if (conversion->precision < 0 && conversion->zeros && !conversion->left)
        least = conversion->width - (int)strlen(prefix);
    put_padded(conversion, prefix, start, length, least > length ? least - length : 0);
}

static void put_signed(const struct conversion *conversion) {
    intmax_t number = next_number();
    const char *sign = number < 0 ? "-" : conversion->plus ? "+" : conversion->space ? " " : "";
    uintmax_t size = number < 0 ? -(uintmax_t)number : (uintmax_t)number;
    put_digits(conversion, sign, size, 10, false);
}

static void put_unsigned(const struct conversion *conversion, char letter) {
    uintmax_t number = (uintmax_t)next_number();
    const char *prefix = "";
    if (conversion->other_form && number)
        prefix = letter == 'x' ? "0x" : letter == 'X' ? "0X" : letter == 'o' ? "0" : "";
    unsigned base = letter == 'o' ? 8 : letter == 'u' ? 10 : 16;
    put_digits(conversion, prefix, number, base, letter == 'X');
}

static void put_text(const struct conversion *conversion) {
    const char *text = next_text();
    int length = (int)strlen(text);
    if (conversion->precision >= 0 && conversion->precision < length)
        length = conversion->precision;
    put_padded(conversion, "", text, length, 0);
}

static void convert(const char **at) {
    struct conversion conversion = read_conversion(at);
    char letter = **at;
    if (letter == '\0')
        errx(1, "a conversion is not complete");
    ++*at;
    if (letter == '%')
        putchar('%');
    else if (letter == 'd' || letter == 'i')
        put_signed(&conversion);
    else if (strchr("ouxX", letter))
        put_unsigned(&conversion, letter);
    else if (letter == 's')
        put_text(&conversion);
    else if (letter == 'b')
        put_escaped(next_text());
    else if (letter == 'c') {
        const char *text = next_text();
        put_padded(&conversion, "", text, *text ? 1 : 0, 0);
    } else
        errx(1, "%%%c is no conversion", letter);
}

static void put_formatted(const char *format) {
    while (*format) {
        char c = *format++;
        if (c == '%')
            convert(&format);
        else if (c == '\\')
            put_escape(&format, false);
        else
            putchar(c);
    }
}

int main(int argc, char **argv) {
    if (argc < 2)
        errx(1, "usage: printf format [argument ...]");
    arguments = argv + 2;
    char **before;
    do {
        before = arguments;
        put_formatted(argv[1]);
    } while (*arguments && arguments != before);
    return status;
}
