/* An interpreter for a small language that looks like JavaScript.
 *
 *     lexer.c     text to tokens
 *     parser.c    tokens to a tree
 *     compiler.c  the tree to bytecode
 *     vm.c        runs bytecode
 *     main.c      reads a script from standard input and runs it
 *
 * Build it with `cc -g *.c -o js`, run it with `./js < sample.js`. */
#ifndef JS_H
#define JS_H

#include <stdbool.h>
#include <stddef.h>

/* Tokens. Marks of one character are their own number. */

enum token {
    TOKEN_END = 0,
    TOKEN_NUMBER = 256,
    TOKEN_STRING,
    TOKEN_NAME,
    TOKEN_VAR,
    TOKEN_FUNCTION,
    TOKEN_IF,
    TOKEN_ELSE,
    TOKEN_WHILE,
    TOKEN_FOR,
    TOKEN_RETURN,
    TOKEN_BREAK,
    TOKEN_CONTINUE,
    TOKEN_TRUE,
    TOKEN_FALSE,
    TOKEN_NULL,
    TOKEN_TYPEOF,
    TOKEN_EQUAL,         /* == */
    TOKEN_NOT_EQUAL,     /* != */
    TOKEN_LESS_EQUAL,    /* <= */
    TOKEN_GREATER_EQUAL, /* >= */
    TOKEN_AND,           /* && */
    TOKEN_OR,            /* || */
};

/* What belongs to the token that was read last. */
extern long token_number;
extern const char *token_text;
extern int token_line;

void start_lexer(const char *text);
int next_token(void);

/* The tree. */

enum node_kind {
    NODE_NUMBER,
    NODE_STRING,
    NODE_TRUE,
    NODE_FALSE,
    NODE_NULL,
    NODE_NAME,
    NODE_ARRAY,    /* first: elements */
    NODE_UNARY,    /* operator, first */
    NODE_BINARY,   /* operator, first, second */
    NODE_AND,      /* first, second */
    NODE_OR,       /* first, second */
    NODE_CALL,     /* first: callee, second: arguments */
    NODE_INDEX,    /* first: array, second: index */
    NODE_ASSIGN,   /* first: name or index, second: value */
    NODE_VAR,      /* text, first: value or nothing */
    NODE_FUNCTION, /* text, first: parameters, second: body */
    NODE_IF,       /* first: condition, second, third */
    NODE_WHILE,    /* first: condition, second: body */
    NODE_FOR,      /* first, second, third: the clauses; fourth: body */
    NODE_RETURN,   /* first: value or nothing */
    NODE_BREAK,
    NODE_CONTINUE,
    NODE_BLOCK, /* first: statements */
    NODE_EXPRESSION,
    NODE_EMPTY,
};

struct node {
    enum node_kind kind;
    int line;
    int operator;
    long number;
    const char *text;
    struct node *first, *second, *third, *fourth;
    struct node *next; /* in a list of statements, elements, arguments or names */
};

struct node *parse(void);

/* Bytecode: numbers, an operation and then its operands. */

enum operation {
    OP_CONSTANT, /* index of a constant */
    OP_NULL,
    OP_TRUE,
    OP_FALSE,
    OP_POP,
    OP_GET_LOCAL, /* slot */
    OP_SET_LOCAL, /* slot */
    OP_GET_GLOBAL, /* index of a name */
    OP_SET_GLOBAL, /* index of a name */
    OP_ARRAY,      /* number of elements */
    OP_GET_INDEX,
    OP_SET_INDEX,
    OP_ADD,
    OP_SUBTRACT,
    OP_MULTIPLY,
    OP_DIVIDE,
    OP_MODULO,
    OP_EQUAL,
    OP_LESS,
    OP_LESS_EQUAL,
    OP_NOT,
    OP_NEGATE,
    OP_TYPEOF,
    OP_JUMP,          /* target */
    OP_JUMP_IF_FALSE, /* target; leaves the value */
    OP_FUNCTION,      /* index of a function */
    OP_CALL,          /* number of arguments */
    OP_RETURN,
    OP_HALT,
};

enum value_kind { VALUE_NULL, VALUE_BOOL, VALUE_NUMBER, VALUE_STRING, VALUE_ARRAY, VALUE_FUNCTION, VALUE_NATIVE };

struct array {
    struct value *elements;
    long length, capacity;
};

struct value {
    enum value_kind kind;
    union {
        bool truth;
        long number;
        const char *string;
        struct array *array;
        const struct function *function;
        int native;
    };
};

struct function {
    const char *name;
    int entry;      /* where its code begins */
    int parameters; /* how many it has */
    int locals;     /* slots, parameters among them */
};

enum { MAX_CODE = 4096, MAX_CONSTANTS = 256, MAX_FUNCTIONS = 64, MAX_GLOBALS = 128 };

extern int code[MAX_CODE];
extern int lines[MAX_CODE]; /* the line that each number of the code is from */
extern struct value constants[MAX_CONSTANTS];
extern struct function functions[MAX_FUNCTIONS];
extern const char *global_names[MAX_GLOBALS];

void compile(const struct node *program);
int global_index(const char *name);
void run(void);

/* Ends the program with a message. */
_Noreturn void fail(int line, const char *format, ...);
void *allocate(size_t size);

#endif
