/* A format that takes what was not passed: a text, an argument too many, 64 bits of 32,
 * a double of an integer; and what scanf is to store without saying where. What only loses
 * upper bits, and a pointer in an integer, are none. */
#include <everypath.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

static void say(char *to, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsprintf(to, format, arguments);
    va_end(arguments);
}

int main(void) {
    char text[64];
    int number;
    int which = ep_range(0, 8, "which");
    switch (which) {
    case 0:
        say(text, "%d %s", 1, 2);
        break;
    case 1:
        say(text, "%d %d", 1);
        break;
    case 2:
        say(text, "%ld", which);
        break;
    case 3:
        say(text, "%f", which);
        break;
    case 4:
        say(text, "%d", 1.5);
        break;
    case 5:
        say(text, "%*d", 4L);
        break;
    case 6:
        say(text, "%d %p %Lf %5s %%", 4L, (uintptr_t)text, 1.0L, "x", "one too many");
        break;
    default:
        sscanf("1 2", "%d %d", &number);
    }
}
