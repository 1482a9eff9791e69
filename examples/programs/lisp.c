/* lisp: a small Lisp. Reads expressions from standard input, and prints their values.
 *
 *   everypath run lisp.c --sym-stdin 9
 *   everypath run lisp.c --sym-stdin 24 --grammar lisp.bnf
 *
 *   numbers, symbols, 'x, (quote x) (if c a b) (def x v) (fn (x ..) body)
 *   + - * / < = ? cons car cdr list
 *
 * The empty list is false. Cells come from one arena and are never given back: a program
 * of a line needs no collector, and a full arena is an error like others.
 */
#include <ctype.h>
#include <err.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum type { NIL, NUMBER, SYMBOL, PAIR, PRIMITIVE, FUNCTION };

struct cell {
    enum type type;
    union {
        long number;
        char symbol[8];
        struct {
            struct cell *car;
            struct cell *cdr;
        };
        struct cell *(*primitive)(struct cell *arguments);
        struct {
            struct cell *parameters;
            struct cell *body;
            struct cell *scope;
        };
    };
};

enum { CELLS = 512, DEEPEST = 24 };

static struct cell cells[CELLS];
static int used;
static struct cell nil = {.type = NIL};
static struct cell *globals = &nil; /* a list of pairs (symbol . value) */
static jmp_buf top;
static int depth;

static void fail(const char *what) {
    printf("error: %s\n", what);
    longjmp(top, 1);
}

static struct cell *new_cell(enum type type) {
    if (used == CELLS)
        fail("no cell is left");
    cells[used].type = type;
    return &cells[used++];
}

static struct cell *cons(struct cell *car, struct cell *cdr) {
    struct cell *pair = new_cell(PAIR);
    pair->car = car;
    pair->cdr = cdr;
    return pair;
}

static struct cell *number(long value) {
    struct cell *cell = new_cell(NUMBER);
    cell->number = value;
    return cell;
}

static struct cell *symbol(const char *name) {
    struct cell *cell = new_cell(SYMBOL);
    strcpy(cell->symbol, name);
    return cell;
}

/* Reading. */

static int ahead = ' ';

static void skip_space(void) {
    while (isspace(ahead) || ahead == ';') {
        if (ahead == ';')
            while (ahead != '\n' && ahead != EOF)
                ahead = getchar();
        else
            ahead = getchar();
    }
}

static bool ends_word(int c) {
    return c == EOF || isspace(c) || c == '(' || c == ')' || c == '\'' || c == ';';
}

static struct cell *read_word(void) {
    char word[8];
    size_t length = 0;
    while (!ends_word(ahead)) {
#ifdef BUG_1 /* out-of-bounds-write */
        if (length == sizeof word)
#else
        if (length + 1 == sizeof word)
#endif
            fail("a word is too long");
        word[length++] = (char)ahead;
        ahead = getchar();
    }
    word[length] = '\0';
    char *end;
    long value = strtol(word, &end, 10);
    return *end ? symbol(word) : number(value);
}

static struct cell *read_expression(void);

static struct cell *read_list(void) {
    skip_space();
    if (ahead == ')') {
        ahead = getchar();
        return &nil;
    }
    if (ahead == EOF)
        fail("a list does not end");
    struct cell *first = read_expression();
    return cons(first, read_list());
}

static struct cell *read_expression(void) {
    skip_space();
    if (++depth > DEEPEST)
        fail("too deep");
    struct cell *cell;
    if (ahead == '(') {
        ahead = getchar();
        cell = read_list();
    } else if (ahead == ')' || ahead == EOF) {
        ahead = ahead == EOF ? EOF : getchar();
        fail("an expression is expected");
        return &nil;
    } else if (ahead == '\'') {
        ahead = getchar();
        cell = read_expression();
        cell = cons(symbol("quote"), cons(cell, &nil));
    } else {
        cell = read_word();
    }
    depth--;
    return cell;
}

/* Printing. */

static void print(const struct cell *cell) {
    switch (cell->type) {
    case NIL:
        printf("()");
        break;
    case NUMBER:
        printf("%ld", cell->number);
        break;
    case SYMBOL:
        printf("%s", cell->symbol);
        break;
    case PRIMITIVE:
    case FUNCTION:
        printf("a function");
        break;
    case PAIR:
        putchar('(');
        print(cell->car);
        for (cell = cell->cdr; cell->type == PAIR; cell = cell->cdr) {
            putchar(' ');
            print(cell->car);
        }
        if (cell->type != NIL) {
            printf(" . ");
            print(cell);
        }
        putchar(')');
    }
}

/* Evaluating. */

static struct cell *car(const struct cell *cell) {
    if (cell->type != PAIR)
        fail("a list is expected");
    return cell->car;
}

static struct cell *cdr(const struct cell *cell) {
#ifndef BUG_2 /* null-dereference */
    if (cell->type != PAIR)
        fail("a list is expected");
#endif
    return cell->cdr;
}

static bool same(const struct cell *a, const struct cell *b) {
    if (a->type != b->type)
        return false;
    if (a->type == NUMBER)
        return a->number == b->number;
    if (a->type == SYMBOL)
        return strcmp(a->symbol, b->symbol) == 0;
    return a == b;
}

static struct cell *lookup(const struct cell *name, const struct cell *scope) {
    for (; scope->type == PAIR; scope = scope->cdr) {
        if (same(scope->car->car, name))
            return scope->car->cdr;
    }
    return NULL;
}

static long value(const struct cell *cell) {
    if (cell->type != NUMBER)
        fail("a number is expected");
    return cell->number;
}

static struct cell *truth(bool holds) {
    return holds ? number(1) : &nil;
}

static struct cell *add(struct cell *arguments) {
    unsigned long sum = 0;
    for (; arguments->type == PAIR; arguments = arguments->cdr)
        sum += (unsigned long)value(arguments->car);
    return number((long)sum);
}

static struct cell *subtract(struct cell *arguments) {
    unsigned long left = (unsigned long)value(car(arguments));
    if (cdr(arguments)->type == NIL)
        return number((long)-left);
    return number((long)(left - (unsigned long)value(car(cdr(arguments)))));
}

static struct cell *multiply(struct cell *arguments) {
    unsigned long product = 1;
    for (; arguments->type == PAIR; arguments = arguments->cdr)
        product *= (unsigned long)value(arguments->car);
    return number((long)product);
}

static struct cell *divide(struct cell *arguments) {
    long left = value(car(arguments)), right = value(car(cdr(arguments)));
#ifndef BUG_3 /* division */
    if (right == 0)
        fail("division by zero");
#endif
    return number(right == -1 ? (long)-(unsigned long)left : left / right);
}

static struct cell *less(struct cell *arguments) {
    return truth(value(car(arguments)) < value(car(cdr(arguments))));
}

static struct cell *equal(struct cell *arguments) {
    return truth(same(car(arguments), car(cdr(arguments))));
}

static struct cell *is_list(struct cell *arguments) {
    enum type type = car(arguments)->type;
    return truth(type == NIL || type == PAIR);
}

static struct cell *first(struct cell *arguments) {
    return car(car(arguments));
}

static struct cell *rest(struct cell *arguments) {
    return cdr(car(arguments));
}

static struct cell *pair(struct cell *arguments) {
    return cons(car(arguments), car(cdr(arguments)));
}

static struct cell *list(struct cell *arguments) {
    return arguments;
}

static struct cell *evaluate(struct cell *cell, struct cell *scope);

static struct cell *evaluate_all(struct cell *cells, struct cell *scope) {
    if (cells->type != PAIR)
        return &nil;
    struct cell *first = evaluate(cells->car, scope);
    return cons(first, evaluate_all(cells->cdr, scope));
}

static struct cell *apply(const struct cell *function, struct cell *arguments) {
    if (function->type == PRIMITIVE)
        return function->primitive(arguments);
    if (function->type != FUNCTION)
        fail("a function is expected");
    struct cell *scope = function->scope;
    for (struct cell *name = function->parameters; name->type == PAIR; name = name->cdr) {
        scope = cons(cons(name->car, car(arguments)), scope);
        arguments = cdr(arguments);
    }
    return evaluate(function->body, scope);
}

static struct cell *function(struct cell *parts, struct cell *scope) {
    struct cell *function = new_cell(FUNCTION);
    function->parameters = car(parts);
    function->body = car(cdr(parts));
    function->scope = scope;
    return function;
}

static struct cell *evaluate_form(struct cell *form, struct cell *scope) {
    struct cell *parts = form->cdr;
    const char *word = form->car->type == SYMBOL ? form->car->symbol : "";
    if (strcmp(word, "quote") == 0)
        return car(parts);
    if (strcmp(word, "fn") == 0)
        return function(parts, scope);
    if (strcmp(word, "if") == 0) {
        bool holds = evaluate(car(parts), scope)->type != NIL;
        return evaluate(car(holds ? cdr(parts) : cdr(cdr(parts))), scope);
    }
    if (strcmp(word, "def") == 0) {
        struct cell *value = evaluate(car(cdr(parts)), scope);
        globals = cons(cons(car(parts), value), globals);
        return value;
    }
    struct cell *called = evaluate(form->car, scope);
    return apply(called, evaluate_all(parts, scope));
}

static struct cell *evaluate(struct cell *cell, struct cell *scope) {
    if (++depth > DEEPEST)
        fail("too deep");
    struct cell *value = cell;
    if (cell->type == SYMBOL) {
        value = lookup(cell, scope);
        if (!value)
            value = lookup(cell, globals);
        if (!value)
            fail("an unknown name");
    } else if (cell->type == PAIR) {
        value = evaluate_form(cell, scope);
    }
    depth--;
    return value;
}

static void define(const char *name, struct cell *(*primitive)(struct cell *)) {
    struct cell *function = new_cell(PRIMITIVE);
    function->primitive = primitive;
    globals = cons(cons(symbol(name), function), globals);
}

int main(void) {
    define("+", add);
    define("-", subtract);
    define("*", multiply);
    define("/", divide);
    define("<", less);
    define("=", equal);
    define("?", is_list);
    define("cons", pair);
    define("car", first);
    define("cdr", rest);
    define("list", list);
    for (;;) {
        if (setjmp(top) != 0)
            return 1;
        depth = 0;
        skip_space();
        if (ahead == EOF)
            return 0;
        print(evaluate(read_expression(), &nil));
        putchar('\n');
    }
}
