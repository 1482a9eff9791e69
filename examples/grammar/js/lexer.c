/* Text to tokens.
 *
 * Keywords are told from names by a hash, as lexers do that want to look at each
 * character once. */
#include "js.h"

#include <ctype.h>
#include <limits.h>
#include <stdint.h>
#include <string.h>

long token_number;
const char *token_text;
int token_line;

static const char *at;

void start_lexer(const char *text) {
    at = text;
    token_line = 1;
}

/* Fowler, Noll and Vo's hash. */
static uint32_t hash(const char *text, size_t length) {
    uint32_t value = 2166136261u;
    for (size_t i = 0; i < length; i++)
        value = (value ^ (unsigned char)text[i]) * 16777619u;
    return value;
}

static const struct {
    uint32_t hash;
    int token;
} keywords[] = {
    {0x8a25e7beu, TOKEN_VAR},
    {0x9ed64249u, TOKEN_FUNCTION},
    {0x39386e06u, TOKEN_IF},
    {0xbdbf5bf0u, TOKEN_ELSE},
    {0x0dc628ceu, TOKEN_WHILE},
    {0xacf38390u, TOKEN_FOR},
    {0x85ee37bfu, TOKEN_RETURN},
    {0xc9648178u, TOKEN_BREAK},
    {0xb1727e44u, TOKEN_CONTINUE},
    {0x4db211e5u, TOKEN_TRUE},
    {0x0b069958u, TOKEN_FALSE},
    {0x77074ba4u, TOKEN_NULL},
    {0x9a90a8a0u, TOKEN_TYPEOF},
};

static int keyword_or_name(const char *text, size_t length) {
    uint32_t value = hash(text, length);
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
        if (keywords[i].hash == value)
            return keywords[i].token;
    return TOKEN_NAME;
}

static const char *copy(const char *text, size_t length) {
    char *made = allocate(length + 1);
    memcpy(made, text, length);
    made[length] = 0;
    return made;
}

static void skip_blanks_and_comments(void) {
    for (;;) {
        if (*at == '\n') {
            token_line++;
            at++;
        } else if (*at == ' ' || *at == '\t' || *at == '\r') {
            at++;
        } else if (at[0] == '/' && at[1] == '/') {
            while (*at && *at != '\n')
                at++;
        } else {
            return;
        }
    }
}

static int read_number(void) {
    token_number = 0;
    while (isdigit((unsigned char)*at)) {
        int digit = *at++ - '0';
        if (token_number > (LONG_MAX - digit) / 10)
            fail(token_line, "the number is too large");
        token_number = token_number * 10 + digit;
    }
    return TOKEN_NUMBER;
}

static int read_name(void) {
    const char *start = at;
    while (isalnum((unsigned char)*at) || *at == '_')
        at++;
    size_t length = (size_t)(at - start);
    int token = keyword_or_name(start, length);
    if (token == TOKEN_NAME)
        token_text = copy(start, length);
    return token;
}

static int read_string(void) {
    char quote = *at++;
    const char *start = at;
    while (*at && *at != quote && *at != '\n')
        at++;
    if (*at != quote)
        fail(token_line, "the string has no end");
    token_text = copy(start, (size_t)(at - start));
    at++;
    return TOKEN_STRING;
}

/* A mark of two characters if the second follows, of one otherwise. */
static int read_mark(char second, int both) {
    char first = *at++;
    if (*at != second)
        return first;
    at++;
    return both;
}

int next_token(void) {
    skip_blanks_and_comments();
    if (isdigit((unsigned char)*at))
        return read_number();
    if (isalpha((unsigned char)*at) || *at == '_')
        return read_name();
    switch (*at) {
    case 0:
        return TOKEN_END;
    case '"':
    case '\'':
        return read_string();
    case '=':
        return read_mark('=', TOKEN_EQUAL);
    case '!':
        return read_mark('=', TOKEN_NOT_EQUAL);
    case '<':
        return read_mark('=', TOKEN_LESS_EQUAL);
    case '>':
        return read_mark('=', TOKEN_GREATER_EQUAL);
    case '&':
        return read_mark('&', TOKEN_AND);
    case '|':
        return read_mark('|', TOKEN_OR);
    default:
        if (!strchr("+-*/%(){}[],;", *at))
            fail(token_line, "the character `%c` means nothing", *at);
        return *at++;
    }
}
