/* stdlib.h: the ends of a program. */
#include "internal.h"

/* What runs at exit: the functions of atexit(), and those of C++ destructors
 * and on_exit(), in one list because they run in one order. */
struct handler {
    void (*plain)(void);
    void (*with_argument)(void *);
    void (*with_status)(int, void *);
    void *argument;
};

static struct handler *handlers;
static size_t handler_count, handler_room;

static int add(struct handler handler) {
    if (handler_count == handler_room) {
        size_t room = handler_room ? 2 * handler_room : 8;
        struct handler *larger = realloc(handlers, room * sizeof *handlers);
        if (!larger)
            return -1;
        handlers = larger;
        handler_room = room;
    }
    handlers[handler_count++] = handler;
    return 0;
}

int atexit(void (*function)(void)) {
    return add((struct handler){.plain = function});
}

int on_exit(void (*function)(int, void *), void *argument) {
    return add((struct handler){.with_status = function, .argument = argument});
}

int __cxa_atexit(void (*function)(void *), void *argument, void *library) {
    (void)library;
    return add((struct handler){.with_argument = function, .argument = argument});
}

_Noreturn void exit(int status) {
    /* A handler may register another one, which then is the next to run. */
    while (handler_count > 0) {
        struct handler handler = handlers[--handler_count];
        if (handler.plain)
            handler.plain();
        else if (handler.with_argument)
            handler.with_argument(handler.argument);
        else
            handler.with_status(status, handler.argument);
    }
    /* The list is not the program's: it must not count as a leak. */
    free(handlers);
    handlers = NULL;
    handler_room = 0;
    __ep_exit(status);
}

static void (*quick_handlers[32])(void);
static int quick_handler_count;

int at_quick_exit(void (*function)(void)) {
    if (quick_handler_count == sizeof quick_handlers / sizeof *quick_handlers)
        return -1;
    quick_handlers[quick_handler_count++] = function;
    return 0;
}

_Noreturn void quick_exit(int status) {
    while (quick_handler_count > 0)
        quick_handlers[--quick_handler_count]();
    __ep_exit(status);
}

_Noreturn void _Exit(int status) {
    __ep_exit(status);
}

_Noreturn void _exit(int status) {
    __ep_exit(status);
}

_Noreturn void abort(void) {
    __ep_abort();
}
