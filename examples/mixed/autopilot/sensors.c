/* What to believe of a gyro.
 *
 * Between two steps the attitude is predicted from what the jets and the engine
 * did. A reading near the prediction corrects it. One that is far from it cannot
 * be true, and the prediction is kept; a gyro that is wrong twice in a row is
 * given up.
 *
 *                  plausible                   implausible
 *     TRUSTED      TRUSTED, correct            DOUBTED, keep the prediction
 *     DOUBTED      TRUSTED, correct            GIVEN_UP
 *     GIVEN_UP     GIVEN_UP                    GIVEN_UP */
#include "autopilot.h"

/* How far a plausible reading is from the prediction, over all axes. */
static const double TOLERANCE = 3;

/* How much of the difference to a predicted attitude is due to a wrong rate. */
static const double RATE_GAIN = 0.4;

static void correct(struct estimate *estimate, const double gyro[AXES]);

void sensors_read(struct estimate *estimate, const double gyro[AXES]) {
    if (estimate->health == SENSOR_GIVEN_UP)
        return;
    if (guidance_distance(estimate->attitude, gyro) <= TOLERANCE) {
        estimate->health = SENSOR_TRUSTED;
        correct(estimate, gyro);
    } else if (estimate->health == SENSOR_TRUSTED) {
        estimate->health = SENSOR_DOUBTED;
    } else {
        estimate->health = SENSOR_GIVEN_UP;
    }
}

void sensors_restart(struct estimate *estimate) {
    estimate->health = SENSOR_TRUSTED;
    for (int axis = 0; axis < AXES; axis++)
        estimate->rate[axis] = 0;
}

static void correct(struct estimate *estimate, const double gyro[AXES]) {
    for (int axis = 0; axis < AXES; axis++) {
        double innovation = gyro[axis] - estimate->attitude[axis];
        estimate->attitude[axis] = gyro[axis];
        estimate->rate[axis] += RATE_GAIN * innovation / PERIOD;
    }
}
