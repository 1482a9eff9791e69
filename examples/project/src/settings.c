#include "settings.h"

#include <ctype.h>

/* Reads a word up to a character, and cuts what has no room. */
static int read_word(FILE *file, char *word, int size, int end) {
    int length = 0, c;
    while ((c = getc(file)) != EOF && c != end && c != '\n')
        if (length < size)
            word[length++] = (char)c;
    word[length] = '\0';
    return c;
}

/* The next character that is neither space nor in a comment. */
static int skip_comments(FILE *file) {
    int c, in_comment = 0;
    while ((c = getc(file)) != EOF && (in_comment || c == '#' || isspace(c)))
        in_comment = c == '#' || (in_comment && c != '\n');
    return c;
}

int next_setting(FILE *file, struct setting *setting) {
    int c = skip_comments(file);
    if (c == EOF)
        return 0;
    ungetc(c, file);
    if (read_word(file, setting->key, KEY_SIZE - 1, '=') != '=')
        return -1;
    read_word(file, setting->value, VALUE_SIZE, '\n');
    return 1;
}
