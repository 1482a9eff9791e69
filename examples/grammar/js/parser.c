/* Tokens to a tree, by recursive descent. One token is looked at ahead. */
#include "js.h"

static int token;
static int depth;

enum { MAX_DEPTH = 200 };

static void advance(void) {
    token = next_token();
}

static void expect(int wanted, const char *name) {
    if (token != wanted)
        fail(token_line, "expected %s", name);
    advance();
}

static bool accept(int wanted) {
    if (token != wanted)
        return false;
    advance();
    return true;
}

static struct node *make(enum node_kind kind) {
    struct node *node = allocate(sizeof *node);
    node->kind = kind;
    node->line = token_line;
    return node;
}

static struct node *make_pair(enum node_kind kind, struct node *first, struct node *second) {
    struct node *node = make(kind);
    node->first = first;
    node->second = second;
    return node;
}

static void go_deeper(void) {
    if (++depth > MAX_DEPTH)
        fail(token_line, "too much is nested here");
}

static struct node *expression(void);
static struct node *statement(void);

/* A list up to the closing mark, with commas between. */
static struct node *list(struct node *(*item)(void), int close, const char *name) {
    struct node *first = NULL, **last = &first;
    if (accept(close))
        return NULL;
    do {
        *last = item();
        last = &(*last)->next;
    } while (accept(','));
    expect(close, name);
    return first;
}

static struct node *name(void) {
    struct node *node = make(NODE_NAME);
    node->text = token_text;
    expect(TOKEN_NAME, "a name");
    return node;
}

static struct node *primary(void) {
    struct node *node;
    switch (token) {
    case TOKEN_NUMBER:
        node = make(NODE_NUMBER);
        node->number = token_number;
        advance();
        return node;
    case TOKEN_STRING:
        node = make(NODE_STRING);
        node->text = token_text;
        advance();
        return node;
    case TOKEN_NAME:
        return name();
    case TOKEN_TRUE:
        node = make(NODE_TRUE);
        advance();
        return node;
    case TOKEN_FALSE:
        node = make(NODE_FALSE);
        advance();
        return node;
    case TOKEN_NULL:
        node = make(NODE_NULL);
        advance();
        return node;
    case '(':
        advance();
        node = expression();
        expect(')', "`)`");
        return node;
    case '[':
        advance();
        node = make(NODE_ARRAY);
        node->first = list(expression, ']', "`]`");
        return node;
    default:
        fail(token_line, "expected an expression");
    }
}

static struct node *postfix(void) {
    struct node *node = primary();
    for (;;) {
        if (accept('(')) {
            struct node *arguments = list(expression, ')', "`)`");
            node = make_pair(NODE_CALL, node, arguments);
        } else if (accept('[')) {
            node = make_pair(NODE_INDEX, node, expression());
            expect(']', "`]`");
        } else {
            return node;
        }
    }
}

static struct node *unary(void) {
    if (token != '-' && token != '!' && token != TOKEN_TYPEOF)
        return postfix();
    struct node *node = make(NODE_UNARY);
    node->operator = token;
    advance();
    go_deeper();
    node->first = unary();
    depth--;
    return node;
}

/* How strongly an operator binds its operands; zero is none at all. */
static int strength(int operator) {
    switch (operator) {
    case TOKEN_EQUAL:
    case TOKEN_NOT_EQUAL:
        return 1;
    case '<':
    case '>':
    case TOKEN_LESS_EQUAL:
    case TOKEN_GREATER_EQUAL:
        return 2;
    case '+':
    case '-':
        return 3;
    case '*':
    case '/':
    case '%':
        return 4;
    default:
        return 0;
    }
}

static struct node *binary(int weakest) {
    struct node *node = unary();
    int strong;
    while ((strong = strength(token)) >= weakest) {
        int operator = token;
        advance();
        node = make_pair(NODE_BINARY, node, binary(strong + 1));
        node->operator = operator;
    }
    return node;
}

static struct node *conjunction(void) {
    struct node *node = binary(1);
    while (accept(TOKEN_AND))
        node = make_pair(NODE_AND, node, binary(1));
    return node;
}

static struct node *disjunction(void) {
    struct node *node = conjunction();
    while (accept(TOKEN_OR))
        node = make_pair(NODE_OR, node, conjunction());
    return node;
}

static struct node *expression(void) {
    go_deeper();
    struct node *node = disjunction();
    if (token == '=') {
        if (node->kind != NODE_NAME && node->kind != NODE_INDEX)
            fail(token_line, "this cannot be assigned to");
        advance();
        node = make_pair(NODE_ASSIGN, node, expression());
    }
    depth--;
    return node;
}

static struct node *block(void) {
    struct node *node = make(NODE_BLOCK);
    struct node **last = &node->first;
    expect('{', "`{`");
    while (token != '}' && token != TOKEN_END) {
        *last = statement();
        last = &(*last)->next;
    }
    expect('}', "`}`");
    return node;
}

static struct node *function_declaration(void) {
    struct node *node = make(NODE_FUNCTION);
    advance();
    node->text = token_text;
    expect(TOKEN_NAME, "the function's name");
    expect('(', "`(`");
    node->first = list(name, ')', "`)`");
    node->second = block();
    return node;
}

static struct node *var_declaration(void) {
    struct node *node = make(NODE_VAR);
    advance();
    node->text = token_text;
    expect(TOKEN_NAME, "a name");
    if (accept('='))
        node->first = expression();
    expect(';', "`;`");
    return node;
}

static struct node *if_statement(void) {
    struct node *node = make(NODE_IF);
    advance();
    expect('(', "`(`");
    node->first = expression();
    expect(')', "`)`");
    node->second = statement();
    if (accept(TOKEN_ELSE))
        node->third = statement();
    return node;
}

static struct node *while_statement(void) {
    struct node *node = make(NODE_WHILE);
    advance();
    expect('(', "`(`");
    node->first = expression();
    expect(')', "`)`");
    node->second = statement();
    return node;
}

/* A clause of `for`, which may be missing. */
static struct node *clause(int close, const char *name) {
    struct node *node = token == close ? NULL : expression();
    expect(close, name);
    return node;
}

static struct node *for_statement(void) {
    struct node *node = make(NODE_FOR);
    advance();
    expect('(', "`(`");
    node->first = clause(';', "`;`");
    node->second = clause(';', "`;`");
    node->third = clause(')', "`)`");
    node->fourth = statement();
    return node;
}

static struct node *simple(enum node_kind kind) {
    struct node *node = make(kind);
    advance();
    expect(';', "`;`");
    return node;
}

static struct node *return_statement(void) {
    struct node *node = make(NODE_RETURN);
    advance();
    node->first = clause(';', "`;`");
    return node;
}

static struct node *expression_statement(void) {
    struct node *node = make(NODE_EXPRESSION);
    node->first = expression();
    expect(';', "`;`");
    return node;
}

static struct node *any_statement(void) {
    struct node *node;
    switch (token) {
    case TOKEN_VAR:
        return var_declaration();
    case TOKEN_FUNCTION:
        return function_declaration();
    case TOKEN_IF:
        return if_statement();
    case TOKEN_WHILE:
        return while_statement();
    case TOKEN_FOR:
        return for_statement();
    case TOKEN_RETURN:
        return return_statement();
    case TOKEN_BREAK:
        return simple(NODE_BREAK);
    case TOKEN_CONTINUE:
        return simple(NODE_CONTINUE);
    case '{':
        return block();
    case ';':
        node = make(NODE_EMPTY);
        advance();
        return node;
    default:
        return expression_statement();
    }
}

static struct node *statement(void) {
    go_deeper();
    struct node *node = any_statement();
    depth--;
    return node;
}

struct node *parse(void) {
    struct node *program = make(NODE_BLOCK);
    struct node **last = &program->first;
    advance();
    while (token != TOKEN_END) {
        *last = statement();
        last = &(*last)->next;
    }
    return program;
}
