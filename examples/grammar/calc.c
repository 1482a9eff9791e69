/* A calculator for what calc.bnf says: it reads an expression and says by its
 * status whether the value has more than one digit. What is no expression makes
 * it exit with status 255.
 *
 *     everypath run calc.c --sym-stdin 5 --grammar calc.bnf
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

static int next;

static void step(void) {
    next = getchar();
}

static void reject(void) {
    exit(255);
}

static int sum(void);

static int factor(void) {
    int value;
    if (next == '(') {
        step();
        value = sum();
        if (next != ')')
            reject();
        step();
        return value;
    }
    if (next < '0' || next > '9')
        reject();
    value = next - '0';
    step();
    return value;
}

static int term(void) {
    int value = factor();
    while (next == '*') {
        step();
        value *= factor();
    }
    return value;
}

static int sum(void) {
    int value = term();
    while (next == '+') {
        step();
        value += term();
    }
    return value;
}

int main(void) {
    step();
    int value = sum();
    if (next != EOF)
        reject();
    /* Behind the parser: only an expression gets here. */
    assert(value != 42);
    return value > 9;
}
