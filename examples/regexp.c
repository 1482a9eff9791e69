/* A regular-expression matcher in the spirit of Kernighan and Pike's, run on
 * every pattern of up to six characters at once.
 *
 *     everypath run examples/regexp.c
 *     everypath show test000001
 *     everypath replay everypath-last --native
 *
 * A pattern knows   c   that character     .   any character
 *                   ^   at its start: the start of the text
 *                   $   at its end: the end of the text
 *                   *   after a character: any number of them
 *
 * The exit status says whether the pattern is found in "hello". Take away the
 * line that ends the pattern, and see what the matcher does then. */
#include <everypath.h>

static int matches_here(const char *pattern, const char *text);

/* Whether one character of a pattern allows one of the text. */
static int allows(char pattern, char text) {
    return text != '\0' && (pattern == '.' || pattern == text);
}

/* Any number of `repeated`, then the rest of the pattern. */
static int matches_star(char repeated, const char *rest, const char *text) {
    for (;; text++) {
        if (matches_here(rest, text))
            return 1;
        if (!allows(repeated, *text))
            return 0;
    }
}

/* Whether the text begins with the pattern. */
static int matches_here(const char *pattern, const char *text) {
    if (pattern[0] == '\0')
        return 1;
    if (pattern[1] == '*')
        return matches_star(pattern[0], pattern + 2, text);
    if (pattern[0] == '$' && pattern[1] == '\0')
        return *text == '\0';
    return allows(pattern[0], *text) && matches_here(pattern + 1, text + 1);
}

/* Whether the pattern is found anywhere in the text. */
static int matches(const char *pattern, const char *text) {
    if (pattern[0] == '^')
        return matches_here(pattern + 1, text);
    for (;; text++) {
        if (matches_here(pattern, text))
            return 1;
        if (*text == '\0')
            return 0;
    }
}

int main(void) {
    char pattern[7];
    ep_symbolic(pattern, sizeof pattern, "pattern");
    pattern[sizeof pattern - 1] = '\0';
    return !matches(pattern, "hello");
}
