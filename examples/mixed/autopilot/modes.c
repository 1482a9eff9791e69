/* Who steers: the crew, the computer or nobody.
 *
 * The switch says what the crew wants, and the mode says what it gets:
 *
 *     switch  mode
 *     off     OFF
 *     pulse   PULSE
 *     hold    HOLD, or RATE while the stick is moved and until it has turned the
 *             vehicle no more
 *     auto    ARMED at first, and AUTOMATIC from a step on in which guidance wants
 *             an attitude near the present one; moving the stick overrides it
 *
 * and in every position but off, DRIFT when the gyro has been given up. That is
 * forgotten in OFF, from where the way goes through HOLD: a crew that has lost the
 * gyro switches off and on again. */
#include "autopilot.h"

#include <math.h>

/* How far the stick moves before it means anything. */
static const double DETENT = 0.1;

/* A vehicle slower than this has come to rest. */
static const double REST = 0.5;

/* How near guidance must be for the autopilot to follow it, and how near it must
 * stay. */
static const double CAPTURE = 12;
static const double RELEASE = 25;

static enum mode mode_for_hold(const struct modes *modes, const struct inputs *inputs,
                               const struct estimate *estimate);
static enum mode mode_for_auto(const struct modes *modes, const struct inputs *inputs,
                               const struct estimate *estimate);
static enum mode next_mode(const struct modes *modes, const struct inputs *inputs,
                           const struct estimate *estimate);
static bool is_holding(enum mode mode);
static bool is_at_rest(const struct estimate *estimate);

void modes_step(struct modes *modes, const struct inputs *inputs, struct estimate *estimate) {
    enum mode before = modes->mode;
    modes->mode = next_mode(modes, inputs, estimate);

    if (modes->mode == MODE_OFF)
        sensors_restart(estimate);
    /* What was done without an attitude to hold begins to be held now. */
    if (is_holding(modes->mode) && !is_holding(before))
        for (int axis = 0; axis < AXES; axis++)
            modes->held[axis] = estimate->attitude[axis];
}

double modes_longest_firing(enum mode mode) {
    switch (mode) {
    case MODE_OFF:
    case MODE_DRIFT:
        return 0;
    case MODE_PULSE:
        return 0.1;
    case MODE_HOLD:
    case MODE_ARMED:
        return 1.8;
    case MODE_RATE:
        return 1.9;
    case MODE_AUTOMATIC:
        break;
    }
    return PERIOD;
}

bool stick_is_moved(double stick) {
    return fabs(stick) > DETENT;
}

static enum mode next_mode(const struct modes *modes, const struct inputs *inputs,
                           const struct estimate *estimate) {
    if (inputs->mode_switch == SWITCH_OFF)
        return MODE_OFF;
    if (estimate->health == SENSOR_GIVEN_UP)
        return MODE_DRIFT;
    if (modes->mode == MODE_OFF)
        return MODE_HOLD;
    if (inputs->mode_switch == SWITCH_PULSE)
        return MODE_PULSE;
    if (inputs->mode_switch == SWITCH_HOLD)
        return mode_for_hold(modes, inputs, estimate);
    return mode_for_auto(modes, inputs, estimate);
}

/* The stick in its detent first stops the vehicle, then holds what it stopped at. */
static enum mode mode_for_hold(const struct modes *modes, const struct inputs *inputs,
                               const struct estimate *estimate) {
    if (stick_is_moved(inputs->stick))
        return MODE_RATE;
    if (modes->mode == MODE_RATE && !is_at_rest(estimate))
        return MODE_RATE;
    return MODE_HOLD;
}

/* Guidance is followed from where the vehicle is held, never right after the crew
 * has turned it. */
static enum mode mode_for_auto(const struct modes *modes, const struct inputs *inputs,
                               const struct estimate *estimate) {
    if (stick_is_moved(inputs->stick))
        return MODE_RATE;
    double distance = guidance_distance(estimate->attitude, inputs->command);
    switch (modes->mode) {
    case MODE_AUTOMATIC:
        return distance < RELEASE ? MODE_AUTOMATIC : MODE_HOLD;
    case MODE_ARMED:
        return distance < CAPTURE ? MODE_AUTOMATIC : MODE_ARMED;
    case MODE_HOLD:
        return MODE_ARMED;
    case MODE_OFF:
    case MODE_DRIFT:
    case MODE_PULSE:
    case MODE_RATE:
        break;
    }
    return MODE_HOLD;
}

static bool is_holding(enum mode mode) {
    return mode == MODE_HOLD || mode == MODE_ARMED;
}

/* About all axes together, so that one that is slightly off may be made up for. */
static bool is_at_rest(const struct estimate *estimate) {
    double square = 0;
    for (int axis = 0; axis < AXES; axis++)
        square += pow(estimate->rate[axis], 2);
    return sqrt(square) < REST;
}
