/* Runs bytecode: a stack of values, and a stack of calls. */
#include "js.h"

#include <stdio.h>
#include <string.h>

enum { MAX_STACK = 256, MAX_CALLS = 24, MAX_STEPS = 20000 };

/* A call in progress. */
struct call {
    int back;  /* where to go on */
    int base;  /* the stack's first slot of the caller */
};

static struct value stack[MAX_STACK];
static struct call calls[MAX_CALLS];
static struct value globals[MAX_GLOBALS];
static int top, base, call_count, pc, line;

enum { NATIVE_PRINT, NATIVE_LENGTH, NATIVE_PUSH };

static const struct value null_value = {.kind = VALUE_NULL};

static struct value of_number(long number) {
    return (struct value){.kind = VALUE_NUMBER, .number = number};
}

static struct value of_truth(bool truth) {
    return (struct value){.kind = VALUE_BOOL, .truth = truth};
}

static struct value of_string(const char *string) {
    return (struct value){.kind = VALUE_STRING, .string = string};
}

static void push(struct value value) {
    if (top == MAX_STACK)
        fail(line, "the stack is full");
    stack[top++] = value;
}

static struct value pop(void) {
    return stack[--top];
}

static bool is_true(struct value value) {
    switch (value.kind) {
    case VALUE_NULL:
        return false;
    case VALUE_BOOL:
        return value.truth;
    case VALUE_NUMBER:
        return value.number != 0;
    case VALUE_STRING:
        return *value.string != 0;
    default:
        return true;
    }
}

static bool are_equal(struct value a, struct value b) {
    if (a.kind != b.kind)
        return false;
    switch (a.kind) {
    case VALUE_NULL:
        return true;
    case VALUE_BOOL:
        return a.truth == b.truth;
    case VALUE_NUMBER:
        return a.number == b.number;
    case VALUE_STRING:
        return strcmp(a.string, b.string) == 0;
    case VALUE_ARRAY:
        return a.array == b.array;
    case VALUE_FUNCTION:
        return a.function == b.function;
    default:
        return a.native == b.native;
    }
}

static const char *kind_name(struct value value) {
    switch (value.kind) {
    case VALUE_NULL:
        return "null";
    case VALUE_BOOL:
        return "boolean";
    case VALUE_NUMBER:
        return "number";
    case VALUE_STRING:
        return "string";
    case VALUE_ARRAY:
        return "array";
    default:
        return "function";
    }
}

static long number_of(struct value value) {
    if (value.kind != VALUE_NUMBER)
        fail(line, "a %s is no number", kind_name(value));
    return value.number;
}

static void print(struct value value, int depth) {
    switch (value.kind) {
    case VALUE_BOOL:
        fputs(value.truth ? "true" : "false", stdout);
        break;
    case VALUE_NUMBER:
        printf("%ld", value.number);
        break;
    case VALUE_STRING:
        fputs(value.string, stdout);
        break;
    case VALUE_ARRAY:
        putchar('[');
        for (long i = 0; i < value.array->length && depth < 4; i++) {
            if (i > 0)
                fputs(", ", stdout);
            print(value.array->elements[i], depth + 1);
        }
        putchar(']');
        break;
    default:
        fputs(kind_name(value), stdout);
        break;
    }
}

/* Arithmetic goes round at the ends, as the hardware's does. */
static long add(long a, long b) {
    return (long)((unsigned long)a + (unsigned long)b);
}

static long subtract(long a, long b) {
    return (long)((unsigned long)a - (unsigned long)b);
}

static long multiply(long a, long b) {
    return (long)((unsigned long)a * (unsigned long)b);
}

static long divide(long a, long b) {
    if (b == 0)
        fail(line, "division by zero");
    /* The quotient of the least number would not fit. */
    return b == -1 ? subtract(0, a) : a / b;
}

static long modulo(long a, long b) {
    return b == -1 ? 0 : a % b;
}

static struct value concatenate(const char *a, const char *b) {
    size_t size = strlen(a) + strlen(b) + 1;
    if (size > 1000)
        fail(line, "the string is too long");
    char *both = allocate(size);
    strcpy(both, a);
    strcat(both, b);
    return of_string(both);
}

/* `+`: strings are put together, numbers added. */
static struct value sum(struct value a, struct value b) {
    if (a.kind == VALUE_STRING && b.kind == VALUE_STRING)
        return concatenate(a.string, b.string);
    return of_number(add(number_of(a), number_of(b)));
}

/* Arrays. */

static struct array *array_of(struct value value) {
    if (value.kind != VALUE_ARRAY)
        fail(line, "a %s is no array", kind_name(value));
    return value.array;
}

static void grow(struct array *array, long capacity) {
    if (capacity > 1000)
        fail(line, "the array is too long");
    if (capacity <= array->capacity)
        return;
    struct value *larger = allocate((size_t)capacity * sizeof *larger);
    if (array->length > 0)
        memcpy(larger, array->elements, (size_t)array->length * sizeof *larger);
    array->elements = larger;
    array->capacity = capacity;
}

static struct array *make_array(int count) {
    struct array *array = allocate(sizeof *array);
    grow(array, count);
    array->length = count;
    for (int i = count - 1; i >= 0; i--)
        array->elements[i] = pop();
    return array;
}

static struct value get_index(struct array *array, long index) {
    if (index < 0 || index >= array->length)
        return null_value;
    return array->elements[index];
}

static void set_index(struct array *array, long index, struct value value) {
    if (index < 0)
        fail(line, "an index below zero");
    grow(array, index + 1);
    for (; array->length <= index; array->length++)
        array->elements[array->length] = null_value;
    array->elements[index] = value;
}

/* Calls. The arguments lie on the stack, above the function. */

static void call_native(int native, int count) {
    struct value argument = count > 0 ? stack[top - count] : null_value;
    struct value result = null_value;
    switch (native) {
    case NATIVE_PRINT:
        for (int i = count; i > 0; i--) {
            print(stack[top - i], 0);
            putchar(i > 1 ? ' ' : '\n');
        }
        break;
    case NATIVE_LENGTH:
        if (argument.kind == VALUE_STRING)
            result = of_number((long)strlen(argument.string));
        else
            result = of_number(array_of(argument)->length);
        break;
    case NATIVE_PUSH:
        for (int i = count - 1; i > 0; i--)
            set_index(array_of(argument), argument.array->length, stack[top - i]);
        break;
    }
    top -= count + 1;
    push(result);
}

static void call(int count) {
    struct value callee = stack[top - count - 1];
    if (callee.kind == VALUE_NATIVE) {
        call_native(callee.native, count);
        return;
    }
    if (callee.kind != VALUE_FUNCTION)
        fail(line, "a %s cannot be called", kind_name(callee));
    if (call_count == MAX_CALLS)
        fail(line, "too many calls in each other");
    const struct function *function = callee.function;
    /* Arguments that nobody asked for. */
    for (; count > function->parameters; count--)
        pop();
    calls[call_count++] = (struct call){.back = pc, .base = base};
    base = top - function->parameters;
    for (int slot = function->parameters; slot < function->locals; slot++)
        push(null_value);
    pc = function->entry;
}

static void return_from_call(void) {
    struct value result = pop();
    /* The function lies below its arguments. */
    top = base - 1;
    call_count--;
    base = calls[call_count].base;
    pc = calls[call_count].back;
    push(result);
}

static void define_native(const char *name, int native) {
    globals[global_index(name)] = (struct value){.kind = VALUE_NATIVE, .native = native};
}

/* Executes the instruction at `pc`; whether there is another. */
static bool step(void) {
    line = lines[pc];
    struct value a, b, c;
    switch (code[pc++]) {
    case OP_CONSTANT:
        push(constants[code[pc++]]);
        break;
    case OP_NULL:
        push(null_value);
        break;
    case OP_TRUE:
        push(of_truth(true));
        break;
    case OP_FALSE:
        push(of_truth(false));
        break;
    case OP_POP:
        pop();
        break;
    case OP_GET_LOCAL:
        push(stack[base + code[pc++]]);
        break;
    case OP_SET_LOCAL:
        stack[base + code[pc++]] = stack[top - 1];
        break;
    case OP_GET_GLOBAL:
        push(globals[code[pc++]]);
        break;
    case OP_SET_GLOBAL:
        globals[code[pc++]] = stack[top - 1];
        break;
    case OP_ARRAY:
        a = (struct value){.kind = VALUE_ARRAY, .array = make_array(code[pc++])};
        push(a);
        break;
    case OP_GET_INDEX:
        b = pop();
        a = pop();
        push(get_index(array_of(a), number_of(b)));
        break;
    case OP_SET_INDEX:
        c = pop();
        b = pop();
        a = pop();
        set_index(array_of(a), number_of(b), c);
        push(c);
        break;
    case OP_ADD:
        b = pop();
        a = pop();
        push(sum(a, b));
        break;
    case OP_SUBTRACT:
        b = pop();
        a = pop();
        push(of_number(subtract(number_of(a), number_of(b))));
        break;
    case OP_MULTIPLY:
        b = pop();
        a = pop();
        push(of_number(multiply(number_of(a), number_of(b))));
        break;
    case OP_DIVIDE:
        b = pop();
        a = pop();
        push(of_number(divide(number_of(a), number_of(b))));
        break;
    case OP_MODULO:
        b = pop();
        a = pop();
        push(of_number(modulo(number_of(a), number_of(b))));
        break;
    case OP_EQUAL:
        b = pop();
        a = pop();
        push(of_truth(are_equal(a, b)));
        break;
    case OP_LESS:
        b = pop();
        a = pop();
        push(of_truth(number_of(a) < number_of(b)));
        break;
    case OP_LESS_EQUAL:
        b = pop();
        a = pop();
        push(of_truth(number_of(a) <= number_of(b)));
        break;
    case OP_NOT:
        a = pop();
        push(of_truth(!is_true(a)));
        break;
    case OP_NEGATE:
        a = pop();
        push(of_number(subtract(0, number_of(a))));
        break;
    case OP_TYPEOF:
        a = pop();
        push(of_string(kind_name(a)));
        break;
    case OP_JUMP:
        pc = code[pc];
        break;
    case OP_JUMP_IF_FALSE:
        pc = is_true(stack[top - 1]) ? pc + 1 : code[pc];
        break;
    case OP_FUNCTION:
        a = (struct value){.kind = VALUE_FUNCTION, .function = &functions[code[pc++]]};
        push(a);
        break;
    case OP_CALL:
        call(code[pc++]);
        break;
    case OP_RETURN:
        return_from_call();
        break;
    case OP_HALT:
        return false;
    }
    return true;
}

void run(void) {
    define_native("print", NATIVE_PRINT);
    define_native("length", NATIVE_LENGTH);
    define_native("push", NATIVE_PUSH);
    for (int steps = 0; step(); steps++)
        if (steps == MAX_STEPS)
            fail(line, "the script takes too many steps");
}
