/* err.h and error.h: messages on standard error, and the end of the program. */
#include "internal.h"

char *program_invocation_name = "program", *program_invocation_short_name = "program";
unsigned error_message_count;
int error_one_per_line;
void (*error_print_progname)(void);

int fprintf(FILE *restrict stream, const char *restrict format, ...);
int vfprintf(FILE *restrict stream, const char *restrict format, va_list arguments);
_Noreturn void exit(int status);
int strcmp(const char *left, const char *right);

static void warn_with(const char *reason, const char *format, va_list arguments) {
    fprintf(stderr, "%s: ", program_invocation_short_name);
    if (format)
        vfprintf(stderr, format, arguments);
    if (reason)
        fprintf(stderr, format ? ": %s" : "%s", reason);
    fprintf(stderr, "\n");
}

void vwarn(const char *format, va_list arguments) {
    warn_with(strerror(errno), format, arguments);
}

void vwarnx(const char *format, va_list arguments) {
    warn_with(NULL, format, arguments);
}

_Noreturn void verr(int status, const char *format, va_list arguments) {
    vwarn(format, arguments);
    exit(status);
}

_Noreturn void verrx(int status, const char *format, va_list arguments) {
    vwarnx(format, arguments);
    exit(status);
}

void warn(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vwarn(format, arguments);
    va_end(arguments);
}

void warnx(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vwarnx(format, arguments);
    va_end(arguments);
}

_Noreturn void err(int status, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    verr(status, format, arguments);
}

_Noreturn void errx(int status, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    verrx(status, format, arguments);
}

static void report(int status, int number, const char *format, va_list arguments) {
    vfprintf(stderr, format, arguments);
    error_message_count++;
    if (number)
        fprintf(stderr, ": %s", strerror(number));
    fprintf(stderr, "\n");
    if (status)
        exit(status);
}

static void say_program(const char *after) {
    if (error_print_progname)
        error_print_progname();
    else
        fprintf(stderr, "%s:%s", program_invocation_name, after);
}

void error(int status, int number, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    say_program(" ");
    report(status, number, format, arguments);
    va_end(arguments);
}

void error_at_line(int status, int number, const char *file, unsigned line, const char *format,
                   ...) {
    static const char *last_file;
    static unsigned last_line;
    va_list arguments;
    if (error_one_per_line && last_line == line && last_file &&
        (file == last_file || strcmp(file, last_file) == 0))
        return;
    last_file = file;
    last_line = line;
    va_start(arguments, format);
    say_program("");
    fprintf(stderr, file ? "%s:%u: " : " ", file, line);
    report(status, number, format, arguments);
    va_end(arguments);
}
