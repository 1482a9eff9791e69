/* expr: evaluates its arguments as an expression and prints the value.
 *
 *   everypath run expr.c --sym-args 1 5 2
 *
 *   a | b    a & b    a < b  <=  =  !=  >=  >    a + b  a - b    a * b  a / b  a % b
 *   a : b    ( a )    length a
 *
 * The match `a : b` knows . [..] * ^ $ and one \(..\), whose text it gives.
 * The status is 0, 1 if the value is empty or 0, and 2 if the expression is wrong.
 */
#include <err.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Values are texts; those that look like integers count as such. */
struct value {
    char *text;
};

static char **next; /* the argument that is read next; NULL at the end */

static struct value text_value(const char *start, size_t length) {
    char *text = strndup(start, length);
    if (!text)
        err(3, "%zu bytes", length);
    return (struct value){text};
}

static struct value number_value(long long number) {
#ifdef BUG_1 /* out-of-bounds-write */
    char text[3];
    sprintf(text, "%lld", number);
#else
    char text[24];
    snprintf(text, sizeof text, "%lld", number);
#endif
    return text_value(text, strlen(text));
}

static void release(struct value value) {
    free(value.text);
}

static bool integer(struct value value, long long *number) {
    char *end;
    if (value.text[strspn(value.text, "-0123456789")])
        return false;
    errno = 0;
    *number = strtoll(value.text, &end, 10);
    if (errno)
        err(2, "%s", value.text);
    return *value.text && !*end;
}

static bool truth(struct value value) {
    long long number;
    return *value.text && !(integer(value, &number) && number == 0);
}

static bool is(const char *word) {
    return *next && strcmp(*next, word) == 0;
}

static bool take(const char *word) {
    if (!is(word))
        return false;
    next++;
    return true;
}

static long long need_number(struct value value) {
    long long number;
    if (!integer(value, &number))
        errx(2, "not an integer: %s", value.text);
    return number;
}

/* One element of a pattern: a character, any character, or a set of them. */
struct element {
    const char *start;
    const char *end;
};

static struct element element(const char *pattern) {
    const char *end = pattern + 1;
    if (*pattern == '[') {
        end = strchr(pattern + 1, ']');
        if (!end)
            errx(2, "a set of a pattern does not end: %s", pattern);
        end++;
    } else if (*pattern == '\\' && pattern[1]) {
        end = pattern + 2;
    }
    return (struct element){pattern, end};
}

static bool fits(struct element element, char c) {
    if (c == '\0')
        return false;
    switch (*element.start) {
    case '.':
        return true;
    case '[':
        return memchr(element.start + 1, c, (size_t)(element.end - element.start - 2)) != NULL;
    case '\\':
        return element.end[-1] == c;
    default:
        return *element.start == c;
    }
}

struct match {
    const char *group;
    const char *group_end;
};

/* The end of the longest match of a pattern at the start of a text; NULL if there is none. */
static const char *match(const char *pattern, const char *text, struct match *found) {
    if (*pattern == '\0')
        return text;
    if (strcmp(pattern, "$") == 0)
        return *text ? NULL : text;
    if (strncmp(pattern, "\\(", 2) == 0) {
        found->group = text;
        return match(pattern + 2, text, found);
    }
    if (strncmp(pattern, "\\)", 2) == 0) {
        const char *end = match(pattern + 2, text, found);
        if (end)
            found->group_end = text;
        return end;
    }
    struct element one = element(pattern);
    if (*one.end != '*')
        return fits(one, *text) ? match(one.end, text + 1, found) : NULL;
    size_t most = 0;
    while (fits(one, text[most]))
        most++;
    for (;;) {
        const char *end = match(one.end + 1, text + most, found);
        if (end || most == 0)
            return end;
        most--;
    }
}

static struct value matched(struct value text, struct value pattern) {
    struct match found = {0};
    const char *start = pattern.text + (*pattern.text == '^');
    const char *end = match(start, text.text, &found);
    bool group = strstr(start, "\\(") != NULL;
    if (group && end && found.group_end)
        return text_value(found.group, (size_t)(found.group_end - found.group));
    if (group)
        return text_value("", 0);
    return number_value(end ? end - text.text : 0);
}

static struct value expression(void);

static struct value primary(void) {
    if (!*next)
        errx(2, "the expression ends too early");
    if (take("(")) {
        struct value value = expression();
        if (!take(")"))
            errx(2, "a `)` is missing");
        return value;
    }
    if (take("length")) {
        struct value of = primary();
        struct value length = number_value((long long)strlen(of.text));
        release(of);
        return length;
    }
    const char *word = *next++;
    return text_value(word, strlen(word));
}

static struct value matches(void) {
    struct value left = primary();
    while (take(":")) {
        struct value right = primary();
        struct value both = matched(left, right);
        release(left);
        release(right);
        left = both;
    }
    return left;
}

/* Integers that do not fit are an error of the user, never of the program. */
static long long compute(char operator, long long a, long long b) {
    long long result;
    bool overflow = false;
    if (operator == '+')
        overflow = __builtin_add_overflow(a, b, &result);
    else if (operator == '-')
        overflow = __builtin_sub_overflow(a, b, &result);
    else if (operator == '*')
        overflow = __builtin_mul_overflow(a, b, &result);
    else {
#ifndef BUG_2 /* division */
        if (b == 0)
            errx(2, "division by zero");
#endif
        overflow = b == -1 && __builtin_sub_overflow(0, a, &result);
        if (!overflow)
            result = operator == '/' ? a / b : a % b;
    }
    if (overflow)
        errx(2, "a number is too large");
    return result;
}

static struct value arithmetic(struct value (*operand)(void), const char *operators) {
    struct value left = operand();
    while (*next && strlen(*next) == 1 && strchr(operators, **next)) {
        char operator = **next;
        next++;
        struct value right = operand();
        struct value both = number_value(compute(operator, need_number(left), need_number(right)));
        release(left);
        release(right);
        left = both;
    }
    return left;
}

static struct value product(void) {
    return arithmetic(matches, "*/%");
}

static struct value sum(void) {
    return arithmetic(product, "+-");
}

static int order(struct value a, struct value b) {
    long long one, other;
    if (integer(a, &one) && integer(b, &other))
        return (one > other) - (one < other);
    return strcmp(a.text, b.text);
}

static bool holds(const char *relation, int order) {
    switch (*relation) {
    case '<':
        return relation[1] ? order <= 0 : order < 0;
    case '>':
        return relation[1] ? order >= 0 : order > 0;
    case '!':
        return order != 0;
    default:
        return order == 0;
    }
}

static struct value comparison(void) {
    struct value left = sum();
    while (is("<") || is("<=") || is("=") || is("!=") || is(">=") || is(">")) {
        const char *relation = *next++;
        struct value right = sum();
        struct value both = number_value(holds(relation, order(left, right)));
        release(left);
        release(right);
        left = both;
    }
    return left;
}

static struct value conjunction(void) {
    struct value left = comparison();
    while (take("&")) {
        struct value right = comparison();
        struct value both = truth(left) && truth(right) ? text_value(left.text, strlen(left.text))
                                                        : number_value(0);
        release(left);
        release(right);
        left = both;
    }
    return left;
}

static struct value expression(void) {
    struct value left = conjunction();
    while (take("|")) {
        struct value right = conjunction();
        struct value kept = truth(left) ? left : right;
        release(truth(left) ? right : left);
        left = kept;
    }
    return left;
}

int main(int argc, char **argv) {
    if (argc < 2)
        errx(2, "usage: expr expression");
    next = argv + 1;
    struct value value = expression();
    if (*next)
        errx(2, "`%s` is left over", *next);
    puts(value.text);
    int status = !truth(value);
    release(value);
    return status;
}
