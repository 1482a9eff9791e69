/* How the vehicle moves in one step.
 *
 * Jets fire at the start of the step, at a constant acceleration; then the
 * vehicle turns on at the rate they left it with. A burning engine disturbs it all
 * the time. The axes are taken to be independent of each other, which they are
 * for the small angles between two steps. */
#include "autopilot.h"

#include <math.h>

/* Mass is lost from tanks that are away from the centre, so the inertia falls
 * faster than the mass. */
static const double INERTIA_EXPONENT = 1.3;

static void turn(struct estimate *estimate, int axis, double acceleration, double time);

double dynamics_inertia(double mass) {
    return pow(mass / 10, INERTIA_EXPONENT);
}

void dynamics_predict(struct estimate *estimate, const struct guidance *guidance,
                      const struct firing *firing, double acceleration,
                      const struct engine *engine, double inertia) {
    for (int axis = 0; axis < AXES; axis++) {
        double before = estimate->rate[axis];
        estimate->attitude[axis] += before * PERIOD;
        if (axis == (int)guidance->axis && firing->direction != 0)
            turn(estimate, axis, firing->direction * acceleration, firing->time);
        turn(estimate, axis, engine_disturbance(engine, axis, inertia), PERIOD);
    }
}

/* What an acceleration over the first part of the step adds by its end. */
static void turn(struct estimate *estimate, int axis, double acceleration, double time) {
    estimate->rate[axis] += acceleration * time;
    estimate->attitude[axis] += acceleration * time * (PERIOD - time / 2);
}
