/* test: evaluates its arguments as a condition; the status is 0 if it holds, and 1 if not.
 *
 *   everypath run test.c --sym-args 0 4 3 --sym-files 1 2
 *
 *   ( c )   ! c   c -a c   c -o c
 *   s = s   s != s   s < s   s > s   -n s   -z s
 *   n -eq n   -ne -lt -le -gt -ge
 *   -e f -f f -d f -h f -p f -S f -c f -b f   what a file is
 *   -r f -w f -x f -s f -t n                  what can be done with it
 *   f -nt f   f -ot f   f -ef f               two files
 */
#include <ctype.h>
#include <err.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A mistake in the condition is status 2, and never taken for "no". */
enum { HOLDS = 0, FAILS = 1, WRONG = 2 };

static char **words;
static int count;
static int at;

static const char *word(int ahead) {
#ifdef BUG_1 /* null-dereference */
    return at + ahead <= count ? words[at + ahead] : "";
#else
    return at + ahead < count ? words[at + ahead] : "";
#endif
}

static bool is(int ahead, const char *text) {
    return at + ahead < count && strcmp(word(ahead), text) == 0;
}

static const char *take(void) {
    if (at == count)
        errx(WRONG, "an argument is missing at the end");
    return words[at++];
}

static long long number(const char *text) {
    char *end;
    errno = 0;
    long long value = strtoll(text, &end, 10);
    while (isspace((unsigned char)*end))
        end++;
    if (end == text || *end)
        errx(WRONG, "not an integer: %s", text);
    if (errno)
        err(WRONG, "%s", text);
    return value;
}

static bool file_is(char what, const char *name) {
    struct stat status;
    int found = what == 'h' ? lstat(name, &status) : stat(name, &status);
    if (found != 0)
        return false;
    switch (what) {
    case 'f':
        return S_ISREG(status.st_mode);
    case 'd':
        return S_ISDIR(status.st_mode);
    case 'h':
        return S_ISLNK(status.st_mode);
    case 'p':
        return S_ISFIFO(status.st_mode);
    case 'S':
        return S_ISSOCK(status.st_mode);
    case 'c':
        return S_ISCHR(status.st_mode);
    case 'b':
        return S_ISBLK(status.st_mode);
    case 's':
        return status.st_size > 0;
    default:
        return true;
    }
}

static bool may(char what, const char *name) {
    int mode = what == 'r' ? R_OK : what == 'w' ? W_OK : X_OK;
    return access(name, mode) == 0;
}

static bool unary(char operator, const char *operand) {
    switch (operator) {
    case 'n':
        return *operand != '\0';
    case 'z':
        return *operand == '\0';
    case 't':
        return isatty((int)number(operand));
    case 'r':
    case 'w':
    case 'x':
        return may(operator, operand);
    default:
        return file_is(operator, operand);
    }
}

static bool is_unary(const char *text) {
    return text[0] == '-' && text[1] && !text[2] && strchr("nztrwxefdhpScbs", text[1]);
}

static bool later(struct timespec a, struct timespec b) {
    return a.tv_sec > b.tv_sec || (a.tv_sec == b.tv_sec && a.tv_nsec > b.tv_nsec);
}

static bool two_files(const char *operator, const char *left, const char *right) {
    struct stat one, other;
    if (stat(left, &one) != 0 || stat(right, &other) != 0)
        return false;
    if (operator[1] == 'n')
        return later(one.st_mtim, other.st_mtim);
    if (operator[1] == 'o')
        return later(other.st_mtim, one.st_mtim);
    return one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

static bool texts(const char *operator, const char *left, const char *right) {
    int order = strcmp(left, right);
    switch (*operator) {
    case '=':
        return order == 0;
    case '!':
        return order != 0;
    case '<':
        return order < 0;
    default:
        return order > 0;
    }
}

static bool numbers(const char *operator, const char *left, const char *right) {
    long long a = number(left), b = number(right);
    switch (operator[1] << 8 | operator[2]) {
    case 'e' << 8 | 'q':
        return a == b;
    case 'n' << 8 | 'e':
        return a != b;
    case 'l' << 8 | 't':
        return a < b;
    case 'l' << 8 | 'e':
        return a <= b;
    case 'g' << 8 | 't':
        return a > b;
    default:
        return a >= b;
    }
}

static const struct binary {
    const char *name;
    bool (*holds)(const char *operator, const char *left, const char *right);
} binaries[] = {
    {"=", texts},     {"!=", texts},    {"<", texts},       {">", texts},       {"-eq", numbers},
    {"-ne", numbers}, {"-lt", numbers}, {"-le", numbers},   {"-gt", numbers},   {"-ge", numbers},
    {"-nt", two_files}, {"-ot", two_files}, {"-ef", two_files},
};

static const struct binary *binary(const char *name) {
    for (size_t i = 0; i < sizeof binaries / sizeof *binaries; i++) {
        if (strcmp(binaries[i].name, name) == 0)
            return &binaries[i];
    }
    return NULL;
}

static bool condition(void);

/* What looks like an operator is an operand where its neighbours say so: `test -f = -f`. */
static bool primary(void) {
    const struct binary *operator = at + 2 < count ? binary(word(1)) : NULL;
    if (operator) {
        const char *left = take();
        take();
        return operator->holds(operator->name, left, take());
    }
    if (is(0, "(") && at + 1 < count) {
        take();
        bool value = condition();
        if (!is(0, ")"))
            errx(WRONG, "a `)` is missing");
        take();
        return value;
    }
    if (is_unary(word(0)) && at + 1 < count) {
        char letter = take()[1];
        return unary(letter, take());
    }
    return *take() != '\0';
}

static bool negation(void) {
    if (is(0, "!") && at + 1 < count && !(at + 2 < count && binary(word(1)))) {
        take();
        return !negation();
    }
    return primary();
}

static bool conjunction(void) {
    bool value = negation();
    while (is(0, "-a")) {
        take();
        bool right = negation();
        value = value && right;
    }
    return value;
}

static bool condition(void) {
    bool value = conjunction();
    while (is(0, "-o")) {
        take();
        bool right = conjunction();
        value = value || right;
    }
    return value;
}

int main(int argc, char **argv) {
    words = argv + 1;
    count = argc - 1;
    if (count == 0)
        return FAILS;
    bool value = condition();
#ifdef BUG_2 /* out-of-bounds-read */
    const char *last = words[count - 1];
    if (last[strlen(last) - 1] == '/')
        warnx("a name that ends in a slash is a directory");
#endif
    if (at < count)
        errx(WRONG, "`%s` is left over", word(0));
    return value ? HOLDS : FAILS;
}
