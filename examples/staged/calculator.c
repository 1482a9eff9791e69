/* A calculator for the words of calculator.bnf: what it is given is always well formed, as
 * behind a parser, and only what the terms say can go wrong. */
#include <stdbool.h>

#ifndef MUTANT
#define MUTANT 0
#endif

static bool sum(const char **at, int *value);

static bool atom(const char **at, int *value) {
    if (**at != '(') {
        *value = *(*at)++ - '0';
        return true;
    }
    ++*at;
    bool known = sum(at, value);
    ++*at;
    return known;
}

static bool product(const char **at, int *value) {
    bool known = atom(at, value);
    while (**at == '*' || **at == '/') {
        char operation = *(*at)++;
        int factor;
        bool both = atom(at, &factor) && known;
        if (operation == '*') {
            *value *= both ? factor : 0;
#if MUTANT != 1
        } else if (both && factor == 0) {
            both = false;
#endif
        } else if (both) {
            *value /= factor;
        }
        known = both;
    }
    return known;
}

static bool sum(const char **at, int *value) {
    bool known = product(at, value);
#if MUTANT == 2
    while (**at == '+') {
#else
    while (**at == '+' || **at == '-') {
#endif
        char operation = *(*at)++;
        int summand;
        bool both = product(at, &summand) && known;
        if (both)
            *value += operation == '+' ? summand : -summand;
        known = both;
    }
    return known;
}

/* Puts the value of a term into `value`; false if it has none. */
bool evaluate(const char *text, int *value) {
    *value = 0;
    bool known = sum(&text, value);
    return known && *text == '\0';
}

/* What has to hold afterwards: the whole text was read, or it divides by zero. */
bool evaluatePost(const char *text, const int *value, bool known) {
    (void)value;
    bool divides = false;
    for (; *text != '\0'; text++)
        divides = divides || *text == '/';
    return known || divides;
}
