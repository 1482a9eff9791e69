/* unwind.h: the Itanium ABI's unwinder, level I.
 *
 * There are no tables to read here: the machine knows its frames and what their landing
 * pads catch. A throw searches for a handler first and changes nothing while it does, so
 * that an exception nobody catches ends the program where it was thrown; then the stack
 * is unwound as far as the handler, by way of the landing pads that clean up. */
#include "internal.h"

typedef enum { EP_FOREIGN_EXCEPTION_CAUGHT = 1, EP_END_OF_STACK = 5 } _Unwind_Reason_Code;

struct _Unwind_Exception {
    uint64_t exception_class;
    void (*exception_cleanup)(_Unwind_Reason_Code, struct _Unwind_Exception *);
    /* The unwinder's own, which the machine reads: the frame of the handler, and what its
     * landing pad is told to have been caught. */
    uint64_t handler;
    uint64_t selector;
};

/* Where the search for a handler stands; it begins at zero. */
struct ep_clause {
    uint64_t frame;
    uint64_t number;
    const void *type; /* null catches everything */
    uint64_t selector;
};

/* The next clause of the landing pads on the stack, innermost first. A filter is the
 * types it lets through, each as a clause, and then its end. */
enum { EP_NO_CLAUSE, EP_CATCH, EP_FILTER_TYPE, EP_FILTER_END };
int __ep_next_clause(struct ep_clause *at);

/* Goes to the next landing pad on the way to the exception's handler. */
_Noreturn void __ep_unwind(struct _Unwind_Exception *exception);

/* Nobody catches the exception: the path ends soon, and forks no more. */
void __ep_uncaught(struct _Unwind_Exception *exception);

/* Whether an exception is of a type of C++; there only if the program throws or catches
 * in C++. It leaves the exception's address as the handler wants it. */
__attribute__((weak)) int __ep_catches(const void *type, struct _Unwind_Exception *exception);

static int is_of_type(const void *type, struct _Unwind_Exception *exception) {
    if (__ep_catches)
        return __ep_catches(type, exception);
    return !type;
}

static int find_handler(struct _Unwind_Exception *exception) {
    struct ep_clause at = {0};
    int passes = 0;
    for (;;) {
        switch (__ep_next_clause(&at)) {
        case EP_CATCH:
            if (!is_of_type(at.type, exception))
                continue;
            break;
        case EP_FILTER_TYPE:
            passes |= is_of_type(at.type, exception);
            continue;
        case EP_FILTER_END:
            if (passes) {
                passes = 0;
                continue;
            }
            break;
        default:
            return 0;
        }
        exception->handler = at.frame;
        exception->selector = at.selector;
        return 1;
    }
}

_Unwind_Reason_Code _Unwind_RaiseException(struct _Unwind_Exception *exception) {
    if (find_handler(exception))
        __ep_unwind(exception);
    __ep_uncaught(exception);
    return EP_END_OF_STACK;
}

_Unwind_Reason_Code _Unwind_Resume_or_Rethrow(struct _Unwind_Exception *exception) {
    return _Unwind_RaiseException(exception);
}

_Noreturn void _Unwind_Resume(struct _Unwind_Exception *exception) {
    __ep_unwind(exception);
}

void _Unwind_DeleteException(struct _Unwind_Exception *exception) {
    if (exception->exception_cleanup)
        exception->exception_cleanup(EP_FOREIGN_EXCEPTION_CAUGHT, exception);
}

/* Frames have no addresses to show: a backtrace is empty. The machine's own has them all. */
_Unwind_Reason_Code _Unwind_Backtrace(void *visit, void *argument) {
    (void)visit, (void)argument;
    return EP_END_OF_STACK;
}
