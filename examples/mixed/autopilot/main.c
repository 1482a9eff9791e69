/* The autopilot of a lunar module, flown by every crew, gyro and guidance at once.
 *
 *     everypath run examples/mixed/autopilot/[a-z]*.c --complex mixed
 *     everypath run examples/mixed/autopilot/[a-z]*.c --complex mixed -D STEPS=5
 *
 * The autopilot keeps the vehicle where it should be by firing small jets for a
 * time that follows from a phase plane: the attitude error one way, the rate the
 * other, and switching curves of square roots between them. Everything that comes
 * from outside is an input, new in each step.
 *
 * An observer waits for the jets to fire for more than one and a half seconds in
 * each step, on the average. That takes a sequence of inputs in which every step
 * does its part: the mode must be one that fires for long, the gyro must agree with
 * what the steps before did to the vehicle, the commands must turn around just when
 * the vehicle moves the wrong way, and no cluster of jets may fire to the limit
 * three times in a row. The error is the end of such a sequence; the exit status of
 * another is the step after which it could no longer become one. */
#include "autopilot.h"

#include <everypath.h>

static double any_between(double low, double high, const char *name) {
    double value;
    ep_symbolic(&value, sizeof value, name);
    ep_assume((value >= low) & (value <= high)); /* no branch: one assumption */
    return value;
}

static struct start any_start(void) {
    struct start start;
    start.mass = any_between(5, 15, "mass");
    for (int axis = 0; axis < AXES; axis++)
        start.rate[axis] = any_between(-3, 3, "rate");
    start.engine_offset = any_between(-1, 1, "engine offset");
    return start;
}

static struct inputs any_inputs(void) {
    struct inputs inputs;
    inputs.mode_switch = ep_range(0, SWITCH_POSITIONS, "mode switch");
    inputs.engine_on = ep_range(0, 2, "engine on");
    inputs.controller = ep_range(-1, 2, "controller");
    inputs.stick = any_between(-1, 1, "stick");
    for (int axis = 0; axis < AXES; axis++)
        inputs.gyro[axis] = any_between(-45, 45, "gyro");
    for (int axis = 0; axis < AXES; axis++)
        inputs.command[axis] = any_between(-45, 45, "command");
    return inputs;
}

/* Whether firing all the time from now on would still be an error in the end. */
static bool is_within_reach(const struct autopilot *autopilot, int steps_flown) {
    return autopilot->jet_time + (STEPS - steps_flown) * PERIOD > JET_TIME_LIMIT;
}

int main(void) {
    struct start start = any_start();
    struct autopilot autopilot;
    autopilot_start(&autopilot, &start);

    for (int step = 1; step <= STEPS; step++) {
        struct inputs inputs = any_inputs();
        autopilot_step(&autopilot, &inputs);
        if (step < STEPS && !is_within_reach(&autopilot, step))
            return step;
    }
    ep_assert(autopilot.jet_time <= JET_TIME_LIMIT);
    return STEPS;
}
