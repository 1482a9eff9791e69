/* How far the vehicle is from where it should be, and which axis gets the jets.
 *
 * The clusters turn the vehicle about one axis at a time, so that their plumes do
 * not meet. About P it hardly ever needs to be turned, and every third step is
 * enough. The others go to U or V, whichever needs it more: the one whose error, a
 * little later, would be greater. */
#include "autopilot.h"

#include <math.h>

/* Every how many steps it is the turn of P. */
enum { P_STEPS = 3 };

/* How many seconds ahead the need of an axis is judged. */
static const double LOOK_AHEAD = 2;

/* The rate that the stick asks for when it is moved all the way. */
static const double FULL_STICK_RATE = 5;

/* Errors that are left alone: a narrow band where precision is needed, and a wide
 * one to save propellant. */
static const double NARROW_DEADBAND = 0.3;
static const double WIDE_DEADBAND = 1.0;

static struct deviation deviation_of(const struct modes *modes, const struct inputs *inputs,
                                     const struct estimate *estimate, int axis);
static enum axis axis_for(int step, enum mode mode, const struct deviation deviations[AXES]);
static double wanted_rate(const struct inputs *inputs, int axis);
static double need_of(const struct deviation *deviation);

void guidance_step(struct guidance *guidance, const struct modes *modes,
                   const struct inputs *inputs, const struct estimate *estimate,
                   bool is_careful) {
    struct deviation deviations[AXES];
    for (int axis = 0; axis < AXES; axis++)
        deviations[axis] = deviation_of(modes, inputs, estimate, axis);

    guidance->step++;
    guidance->axis = axis_for(guidance->step, modes->mode, deviations);
    guidance->deviation = deviations[guidance->axis];
    guidance->deadband =
        modes->mode == MODE_AUTOMATIC && !is_careful ? NARROW_DEADBAND : WIDE_DEADBAND;
}

double guidance_distance(const double from[AXES], const double to[AXES]) {
    double square = 0;
    for (int axis = 0; axis < AXES; axis++)
        square += pow(to[axis] - from[axis], 2);
    return sqrt(square);
}

static struct deviation deviation_of(const struct modes *modes, const struct inputs *inputs,
                                     const struct estimate *estimate, int axis) {
    struct deviation deviation = {0, estimate->rate[axis]};
    switch (modes->mode) {
    case MODE_AUTOMATIC:
        deviation.error = estimate->attitude[axis] - inputs->command[axis];
        break;
    case MODE_HOLD:
    case MODE_ARMED:
        deviation.error = estimate->attitude[axis] - modes->held[axis];
        break;
    case MODE_RATE:
        deviation.rate -= wanted_rate(inputs, axis);
        break;
    case MODE_OFF:
    case MODE_DRIFT:
    case MODE_PULSE:
        break;
    }
    return deviation;
}

/* The stick turns the vehicle about U; about the other axes it is kept still. */
static double wanted_rate(const struct inputs *inputs, int axis) {
    if (axis != AXIS_U || !stick_is_moved(inputs->stick))
        return 0;
    return FULL_STICK_RATE * inputs->stick;
}

/* Where the attitude does not count, it is the stick's axis. */
static enum axis axis_for(int step, enum mode mode, const struct deviation deviations[AXES]) {
    if (mode == MODE_OFF || mode == MODE_DRIFT || mode == MODE_PULSE)
        return AXIS_U;
    if (step % P_STEPS == 0)
        return AXIS_P;
    return need_of(&deviations[AXIS_V]) > need_of(&deviations[AXIS_U]) ? AXIS_V : AXIS_U;
}

static double need_of(const struct deviation *deviation) {
    return fabs(deviation->error + LOOK_AHEAD * deviation->rate);
}
