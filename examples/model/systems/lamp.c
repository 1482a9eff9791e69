/* The light of lamp.iosts, in real time; with the argument `simulated`, in the time that
   messages on the channel `delay` say. With MUTANT a second press does not count. */

#include "lines.h"

#include <poll.h>
#include <time.h>

enum { STAY = 3, LONGEST = 10 };

/* Times are compared as doubles, so a little is added. */
static const double SLACK = 1e-6;

static int is_simulated, is_on;
static double simulated, pressed, lit;

static double now(void)
{
    struct timespec time;
    if (is_simulated)
        return simulated;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

/* When the light goes off. */
static double end(void)
{
    double by_press = pressed + STAY, by_limit = lit + LONGEST;
    return by_press < by_limit ? by_press : by_limit;
}

/* Sends what is due at this time. */
static void pass(double time)
{
    if (is_on && end() <= time + SLACK) {
        is_on = 0;
        emit("light", "false");
    }
}

/* Waits until a message is there or the light has to go off; 0 for the latter. */
static int wait(void)
{
    struct pollfd input = {.fd = 0, .events = POLLIN};
    if (is_simulated || !is_on)
        return 1;
    double left = end() - now();
    return poll(&input, 1, left > 0 ? (int)(left * 1000) + 1 : 0) > 0;
}

int main(int count, char **arguments)
{
    struct message message;
    is_simulated = count > 1 && strcmp(arguments[1], "simulated") == 0;
    setvbuf(stdin, NULL, _IONBF, 0);
    for (;;) {
        if (!wait()) {
            pass(now());
            continue;
        }
        if (!receive(&message))
            return 0;
        if (is(&message, "delay")) {
            simulated += message.real[0];
            pass(simulated);
        } else if (is(&message, "press") && !is_on) {
            pressed = lit = now();
            is_on = 1;
            emit("light", "true");
        } else if (is(&message, "press")) {
#ifndef MUTANT
            pressed = now();
#endif
        }
    }
}
