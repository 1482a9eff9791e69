/* assert.h: what the assert() of the system's headers calls. */
#include "internal.h"

_Noreturn void __assert_fail(const char *condition, const char *file, unsigned line,
                             const char *function) {
    __ep_assert_fail(condition, file, line, function);
}

_Noreturn void __assert_perror_fail(int number, const char *file, unsigned line,
                                    const char *function) {
    __ep_assert_fail(strerror(number), file, line, function);
}

_Noreturn void __assert(const char *condition, const char *file, int line) {
    __ep_assert_fail(condition, file, (unsigned)line, "");
}
