/* The thermostat of thermostat.iosts. With MUTANT it thinks that frost begins at zero. */

#include "lines.h"

#ifdef MUTANT
enum { FROST = 0 };
#else
enum { FROST = -5 };
#endif
enum { PATIENCE = 2 };
enum mode { OFF, HEATING, COOLING, IDLE };
static const char *const names[] = {"off", "heating", "cooling", "idle"};

static enum mode next(enum mode mode, long long degrees, long long wanted)
{
    if (mode == HEATING)
        return degrees >= wanted ? IDLE : HEATING;
    if (mode == COOLING)
        return degrees <= wanted ? IDLE : COOLING;
    if (degrees < wanted - PATIENCE)
        return HEATING;
    if (degrees > wanted + PATIENCE)
        return COOLING;
    return IDLE;
}

int main(void)
{
    struct message message;
    enum mode mode = OFF;
    long long wanted = 20;
    int is_on = 0;
    while (receive(&message)) {
        long long value = message.number[0];
        if (is(&message, "wish")) {
            wanted = value;
        } else if (is(&message, "power")) {
            is_on = message.flag[0];
            emit("mode", "\"%s\"", names[mode]);
            mode = is_on ? IDLE : OFF;
        } else if (value <= FROST) {
            emit("alarm", "%lld", value);
            mode = HEATING;
        } else {
            mode = is_on ? next(mode, value, wanted) : OFF;
            emit("mode", "\"%s\"", names[mode]);
        }
    }
}
