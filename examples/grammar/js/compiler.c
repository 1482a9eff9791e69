/* The tree to bytecode.
 *
 * Variables of functions live in slots, which blocks share; those outside functions
 * are found by name. Jumps forward are written with an open target and patched when
 * the place is known. */
#include "js.h"

#include <string.h>

int code[MAX_CODE];
int lines[MAX_CODE];
struct value constants[MAX_CONSTANTS];
struct function functions[MAX_FUNCTIONS];
const char *global_names[MAX_GLOBALS];

static int code_size, constant_count, function_count, global_count;

enum { MAX_LOCALS = 32, MAX_EXITS = 16, NOWHERE = -1 };

/* A loop that is being compiled: where `continue` goes, and the jumps of `break`. */
struct loop {
    int next; /* NOWHERE while it is not known */
    int exits[MAX_EXITS], exit_count;
    int waiting[MAX_EXITS], waiting_count; /* jumps of `continue` before that */
    struct loop *outer;
};

/* A function that is being compiled. */
struct scope {
    const char *names[MAX_LOCALS];
    int count, most;
    struct scope *outer;
};

static struct loop *loop;
static struct scope *scope;

static int emit(int number, int line) {
    if (code_size == MAX_CODE)
        fail(line, "the script is too long");
    lines[code_size] = line;
    code[code_size] = number;
    return code_size++;
}

static void emit_pair(int operation, int operand, int line) {
    emit(operation, line);
    emit(operand, line);
}

/* A jump with an open target; gives the place to patch. */
static int emit_jump(int operation, int line) {
    emit(operation, line);
    return emit(NOWHERE, line);
}

static void patch(int place) {
    code[place] = code_size;
}

static void emit_constant(struct value value, int line) {
    if (constant_count == MAX_CONSTANTS)
        fail(line, "the script has too many constants");
    constants[constant_count] = value;
    emit_pair(OP_CONSTANT, constant_count++, line);
}

int global_index(const char *name) {
    for (int i = 0; i < global_count; i++)
        if (strcmp(global_names[i], name) == 0)
            return i;
    if (global_count == MAX_GLOBALS)
        fail(0, "the script has too many global variables");
    global_names[global_count] = name;
    return global_count++;
}

/* The slot of a local variable, the innermost of its name. */
static int find_local(const char *name) {
    if (!scope)
        return NOWHERE;
    for (int slot = scope->count - 1; slot >= 0; slot--)
        if (strcmp(scope->names[slot], name) == 0)
            return slot;
    return NOWHERE;
}

static int declare_local(const char *name, int line) {
    if (scope->count == MAX_LOCALS)
        fail(line, "the function has too many variables");
    scope->names[scope->count++] = name;
    if (scope->count > scope->most)
        scope->most = scope->count;
    return scope->count - 1;
}

static void compile_expression(const struct node *node);
static void compile_statement(const struct node *node);

static void compile_name(const struct node *node) {
    int slot = find_local(node->text);
    if (slot == NOWHERE)
        emit_pair(OP_GET_GLOBAL, global_index(node->text), node->line);
    else
        emit_pair(OP_GET_LOCAL, slot, node->line);
}

static void assign_name(const char *name, int line) {
    int slot = find_local(name);
    if (slot == NOWHERE)
        emit_pair(OP_SET_GLOBAL, global_index(name), line);
    else
        emit_pair(OP_SET_LOCAL, slot, line);
}

static void compile_assignment(const struct node *node) {
    const struct node *target = node->first;
    if (target->kind == NODE_NAME) {
        compile_expression(node->second);
        assign_name(target->text, node->line);
        return;
    }
    compile_expression(target->first);
    compile_expression(target->second);
    compile_expression(node->second);
    emit(OP_SET_INDEX, node->line);
}

static void compile_unary(const struct node *node) {
    compile_expression(node->first);
    switch (node->operator) {
    case '-':
        emit(OP_NEGATE, node->line);
        break;
    case '!':
        emit(OP_NOT, node->line);
        break;
    default:
        emit(OP_TYPEOF, node->line);
        break;
    }
}

static void compile_binary(const struct node *node) {
    /* `a > b` is `b < a`. */
    bool swapped = node->operator == '>' || node->operator == TOKEN_GREATER_EQUAL;
    compile_expression(swapped ? node->second : node->first);
    compile_expression(swapped ? node->first : node->second);
    switch (node->operator) {
    case '+':
        emit(OP_ADD, node->line);
        break;
    case '-':
        emit(OP_SUBTRACT, node->line);
        break;
    case '*':
        emit(OP_MULTIPLY, node->line);
        break;
    case '/':
        emit(OP_DIVIDE, node->line);
        break;
    case '%':
        emit(OP_MODULO, node->line);
        break;
    case '<':
    case '>':
        emit(OP_LESS, node->line);
        break;
    case TOKEN_LESS_EQUAL:
    case TOKEN_GREATER_EQUAL:
        emit(OP_LESS_EQUAL, node->line);
        break;
    case TOKEN_EQUAL:
        emit(OP_EQUAL, node->line);
        break;
    default:
        emit(OP_EQUAL, node->line);
        emit(OP_NOT, node->line);
        break;
    }
}

/* `a && b` and `a || b`: the second is computed only if the first does not decide. */
static void compile_logical(const struct node *node) {
    compile_expression(node->first);
    int end = emit_jump(OP_JUMP_IF_FALSE, node->line);
    if (node->kind == NODE_OR) {
        int other = end;
        end = emit_jump(OP_JUMP, node->line);
        patch(other);
    }
    emit(OP_POP, node->line);
    compile_expression(node->second);
    patch(end);
}

/* Compiles each of a list; gives how many there are. */
static int compile_list(const struct node *first) {
    int count = 0;
    for (const struct node *node = first; node; node = node->next) {
        compile_expression(node);
        count++;
    }
    return count;
}

static void compile_expression(const struct node *node) {
    switch (node->kind) {
    case NODE_NUMBER:
        emit_constant((struct value){.kind = VALUE_NUMBER, .number = node->number}, node->line);
        break;
    case NODE_STRING:
        emit_constant((struct value){.kind = VALUE_STRING, .string = node->text}, node->line);
        break;
    case NODE_TRUE:
        emit(OP_TRUE, node->line);
        break;
    case NODE_FALSE:
        emit(OP_FALSE, node->line);
        break;
    case NODE_NULL:
        emit(OP_NULL, node->line);
        break;
    case NODE_NAME:
        compile_name(node);
        break;
    case NODE_ARRAY:
        emit_pair(OP_ARRAY, compile_list(node->first), node->line);
        break;
    case NODE_UNARY:
        compile_unary(node);
        break;
    case NODE_BINARY:
        compile_binary(node);
        break;
    case NODE_AND:
    case NODE_OR:
        compile_logical(node);
        break;
    case NODE_CALL:
        compile_expression(node->first);
        emit_pair(OP_CALL, compile_list(node->second), node->line);
        break;
    case NODE_INDEX:
        compile_expression(node->first);
        compile_expression(node->second);
        emit(OP_GET_INDEX, node->line);
        break;
    case NODE_ASSIGN:
        compile_assignment(node);
        break;
    default:
        fail(node->line, "this is no expression");
    }
}

static void compile_var(const struct node *node) {
    if (node->first)
        compile_expression(node->first);
    else
        emit(OP_NULL, node->line);
    if (scope)
        emit_pair(OP_SET_LOCAL, declare_local(node->text, node->line), node->line);
    else
        emit_pair(OP_SET_GLOBAL, global_index(node->text), node->line);
    emit(OP_POP, node->line);
}

static void compile_function(const struct node *node) {
    if (function_count == MAX_FUNCTIONS)
        fail(node->line, "the script has too many functions");
    int number = function_count++;
    struct function *function = &functions[number];
    struct scope inner = {.outer = scope};
    struct loop *around = loop;
    int over = emit_jump(OP_JUMP, node->line);
    scope = &inner;
    loop = NULL;
    function->name = node->text;
    function->entry = code_size;
    for (const struct node *name = node->first; name; name = name->next) {
        declare_local(name->text, name->line);
        function->parameters++;
    }
    compile_statement(node->second);
    emit(OP_NULL, node->line);
    emit(OP_RETURN, node->line);
    function->locals = inner.most;
    scope = inner.outer;
    loop = around;
    patch(over);
    emit_pair(OP_FUNCTION, number, node->line);
    if (scope)
        emit_pair(OP_SET_LOCAL, declare_local(node->text, node->line), node->line);
    else
        emit_pair(OP_SET_GLOBAL, global_index(node->text), node->line);
    emit(OP_POP, node->line);
}

static void compile_if(const struct node *node) {
    compile_expression(node->first);
    int otherwise = emit_jump(OP_JUMP_IF_FALSE, node->line);
    emit(OP_POP, node->line);
    compile_statement(node->second);
    int end = emit_jump(OP_JUMP, node->line);
    patch(otherwise);
    emit(OP_POP, node->line);
    if (node->third)
        compile_statement(node->third);
    patch(end);
}

/* Lets the jumps of `continue` that waited go to where they belong. */
static void settle_continues(void) {
    for (int i = 0; i < loop->waiting_count; i++)
        patch(loop->waiting[i]);
    loop->next = code_size;
}

static void settle_breaks(void) {
    for (int i = 0; i < loop->exit_count; i++)
        patch(loop->exits[i]);
}

static void compile_while(const struct node *node) {
    struct loop own = {.next = code_size, .outer = loop};
    loop = &own;
    compile_expression(node->first);
    int end = emit_jump(OP_JUMP_IF_FALSE, node->line);
    emit(OP_POP, node->line);
    compile_statement(node->second);
    emit_pair(OP_JUMP, own.next, node->line);
    patch(end);
    emit(OP_POP, node->line);
    settle_breaks();
    loop = own.outer;
}

static void compile_for(const struct node *node) {
    struct loop own = {.next = NOWHERE, .outer = loop};
    if (node->first) {
        compile_expression(node->first);
        emit(OP_POP, node->line);
    }
    loop = &own;
    int again = code_size, end = NOWHERE;
    if (node->second) {
        compile_expression(node->second);
        end = emit_jump(OP_JUMP_IF_FALSE, node->line);
        emit(OP_POP, node->line);
    }
    compile_statement(node->fourth);
    if (node->third) {
        settle_continues();
        compile_expression(node->third);
        emit(OP_POP, node->line);
    }
    emit_pair(OP_JUMP, again, node->line);
    if (end != NOWHERE) {
        patch(end);
        emit(OP_POP, node->line);
    }
    settle_breaks();
    loop = own.outer;
}

static void compile_break(const struct node *node) {
    if (!loop)
        fail(node->line, "`break` outside a loop");
    if (loop->exit_count == MAX_EXITS)
        fail(node->line, "the loop has too many exits");
    loop->exits[loop->exit_count++] = emit_jump(OP_JUMP, node->line);
}

static void compile_continue(const struct node *node) {
    if (!loop)
        fail(node->line, "`continue` outside a loop");
    if (loop->next != NOWHERE) {
        emit_pair(OP_JUMP, loop->next, node->line);
        return;
    }
    if (loop->waiting_count == MAX_EXITS)
        fail(node->line, "the loop has too many `continue`");
    loop->waiting[loop->waiting_count++] = emit_jump(OP_JUMP, node->line);
}

static void compile_block(const struct node *node) {
    int before = scope ? scope->count : 0;
    for (const struct node *inner = node->first; inner; inner = inner->next)
        compile_statement(inner);
    if (scope)
        scope->count = before;
}

static void compile_return(const struct node *node) {
    if (!scope)
        fail(node->line, "`return` outside a function");
    if (node->first)
        compile_expression(node->first);
    else
        emit(OP_NULL, node->line);
    emit(OP_RETURN, node->line);
}

static void compile_statement(const struct node *node) {
    switch (node->kind) {
    case NODE_VAR:
        compile_var(node);
        break;
    case NODE_FUNCTION:
        compile_function(node);
        break;
    case NODE_IF:
        compile_if(node);
        break;
    case NODE_WHILE:
        compile_while(node);
        break;
    case NODE_FOR:
        compile_for(node);
        break;
    case NODE_RETURN:
        compile_return(node);
        break;
    case NODE_BREAK:
        compile_break(node);
        break;
    case NODE_CONTINUE:
        compile_continue(node);
        break;
    case NODE_BLOCK:
        compile_block(node);
        break;
    case NODE_EMPTY:
        break;
    default:
        compile_expression(node->first);
        emit(OP_POP, node->line);
        break;
    }
}

void compile(const struct node *program) {
    compile_statement(program);
    emit(OP_HALT, 0);
}
