/* Reads a script from standard input and runs it. */
#include "js.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAX_SCRIPT = 65536 };

static char script[MAX_SCRIPT + 1];

_Noreturn void fail(int line, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fflush(stdout);
    fprintf(stderr, "line %d: ", line);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(1);
}

/* A script is short and so is the life of what it allocates: the system frees it. */
void *allocate(size_t size) {
    void *made = calloc(1, size);
    if (!made)
        fail(token_line, "there is no memory left");
    return made;
}

int main(void) {
    size_t size = fread(script, 1, MAX_SCRIPT, stdin);
    script[size] = 0;
    start_lexer(script);
    compile(parse());
    run();
    return 0;
}
