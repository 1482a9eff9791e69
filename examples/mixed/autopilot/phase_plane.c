/* For how long the jets fire.
 *
 * A deviation is a point in the plane of attitude error and rate. Left alone it
 * moves to the right where the rate is positive and to the left where it is
 * negative; jets that fire move it along a parabola.
 *
 *            rate
 *              |            AWAY
 *     FAST     |   ___________________________
 *      \       |  /
 *     --\------+--------------------------------- error
 *        \     | DEADBAND \        SLOW
 *              |           \_____________________
 *              |    COAST
 *              |  \______________________________
 *              |            FAST
 *
 * The plane looks the same turned by half a turn, so only errors to the right are
 * thought about below. Firing times:
 *
 *     AWAY   until the vehicle comes back, at a rate that grows with the square
 *            root of the error at which it will have stopped
 *     SLOW   until it comes back at that rate
 *     FAST   until it can be stopped before the far side of the deadband */
#include "autopilot.h"

#include <math.h>

/* Coming back faster than this would waste propellant. */
static const double FASTEST_RETURN = 4;

/* The share of the wanted rate that is good enough to coast with. */
static const double COASTING_SHARE = 0.6;

/* A rate that is left alone when only the rate counts. */
static const double RATE_DEADBAND = 0.4;

static struct firing moving_away(double error, double rate, double acceleration, double deadband);
static struct firing moving_back(double error, double rate, double acceleration, double deadband);
static double return_rate(double beyond_deadband, double acceleration);
static struct firing coast(enum zone zone);

struct firing phase_plane_firing(const struct deviation *deviation, double acceleration,
                                 double deadband) {
    int side = deviation->error < 0 ? -1 : 1;
    double error = side * deviation->error, rate = side * deviation->rate;
    struct firing firing;
    if (rate >= 0)
        firing = moving_away(error, rate, acceleration, deadband);
    else
        firing = moving_back(error, -rate, acceleration, deadband);
    firing.direction *= side;
    return firing;
}

struct firing phase_plane_rate_firing(double rate, double acceleration) {
    if (fabs(rate) < RATE_DEADBAND)
        return coast(ZONE_DEADBAND);
    struct firing firing = {ZONE_FAST, rate > 0 ? -1 : 1, fabs(rate) / acceleration};
    return firing;
}

/* The rate is towards greater errors. */
static struct firing moving_away(double error, double rate, double acceleration,
                                 double deadband) {
    double stopped = error + pow(rate, 2) / (2 * acceleration);
    if (stopped <= deadband)
        return coast(ZONE_DEADBAND);
    double wanted = return_rate(stopped - deadband, acceleration);
    struct firing firing = {ZONE_AWAY, -1, (rate + wanted) / acceleration};
    return firing;
}

/* The rate, given as a positive number, is towards smaller errors. */
static struct firing moving_back(double error, double rate, double acceleration,
                                 double deadband) {
    double stoppable = sqrt(2 * acceleration * (error + deadband));
    if (rate > stoppable) {
        struct firing firing = {ZONE_FAST, 1, (rate - stoppable) / acceleration};
        return firing;
    }
    if (error <= deadband)
        return coast(ZONE_DEADBAND);
    double wanted = return_rate(error - deadband, acceleration);
    if (rate >= COASTING_SHARE * wanted)
        return coast(ZONE_COAST);
    struct firing firing = {ZONE_SLOW, -1, (wanted - rate) / acceleration};
    return firing;
}

/* Half the way is for speeding up, and half for slowing down again. */
static double return_rate(double beyond_deadband, double acceleration) {
    return fmin(sqrt(acceleration * beyond_deadband), FASTEST_RETURN);
}

static struct firing coast(enum zone zone) {
    struct firing firing = {zone, 0, 0};
    return firing;
}
