/* The main engine, as far as the attitude is concerned.
 *
 * It is started and stopped by guidance alone, so only in MODE_AUTOMATIC:
 *
 *     OFF        wanted      ULLAGE
 *     ULLAGE     wanted      BURNING       not wanted    OFF
 *     BURNING    wanted      BURNING       not wanted    TAIL_OFF
 *     TAIL_OFF                             always        OFF
 *
 * While it burns, thrust that misses the centre of mass turns the vehicle. The
 * engine hangs in a gimbal that a slow drive moves until the thrust is true:
 *
 *     LOCKED     TRIMMING while the engine burns
 *     TRIMMING   TRIMMED when the offset is small, LOCKED when the engine stops
 *     TRIMMED    LOCKED when the engine stops */
#include "autopilot.h"

#include <math.h>

/* The acceleration that thrust a full offset away gives to ten tonnes. */
static const double FULL_OFFSET_ACCELERATION = 0.4;

/* How far the drive moves the gimbal in a step, and how near is near enough. */
static const double GIMBAL_STEP = 0.25;
static const double GIMBAL_TRUE = 0.05;

/* The share of the offset that each axis across the thrust gets. */
static const double U_SHARE = 0.8, V_SHARE = 0.6;

/* Tonnes a second. */
static const double FLOW = 0.0148;

static enum engine_phase next_phase(enum engine_phase phase, bool is_wanted);
static void trim(struct engine *engine);
static double moved_towards_zero(double value, double step);

void engine_step(struct engine *engine, enum mode mode, int engine_on) {
    bool is_wanted = mode == MODE_AUTOMATIC && engine_on;
    engine->phase = next_phase(engine->phase, is_wanted);
    trim(engine);
}

double engine_disturbance(const struct engine *engine, enum axis axis, double inertia) {
    if (engine->phase != ENGINE_BURNING)
        return 0;
    double acceleration = FULL_OFFSET_ACCELERATION * engine->offset / inertia;
    switch (axis) {
    case AXIS_U:
        return U_SHARE * acceleration;
    case AXIS_V:
        return V_SHARE * acceleration;
    case AXIS_P:
    case AXES:
        break;
    }
    return 0; /* along the thrust there is no lever */
}

double engine_consumption(const struct engine *engine) {
    return engine->phase == ENGINE_BURNING ? FLOW * PERIOD : 0;
}

static enum engine_phase next_phase(enum engine_phase phase, bool is_wanted) {
    switch (phase) {
    case ENGINE_OFF:
        return is_wanted ? ENGINE_ULLAGE : ENGINE_OFF;
    case ENGINE_ULLAGE:
        return is_wanted ? ENGINE_BURNING : ENGINE_OFF;
    case ENGINE_BURNING:
        return is_wanted ? ENGINE_BURNING : ENGINE_TAIL_OFF;
    case ENGINE_TAIL_OFF:
        break;
    }
    return ENGINE_OFF;
}

static void trim(struct engine *engine) {
    if (engine->phase != ENGINE_BURNING) {
        engine->gimbal = GIMBAL_LOCKED;
        return;
    }
    switch (engine->gimbal) {
    case GIMBAL_LOCKED:
        engine->gimbal = GIMBAL_TRIMMING;
        break;
    case GIMBAL_TRIMMING:
        engine->offset = moved_towards_zero(engine->offset, GIMBAL_STEP);
        if (fabs(engine->offset) < GIMBAL_TRUE)
            engine->gimbal = GIMBAL_TRIMMED;
        break;
    case GIMBAL_TRIMMED:
        break;
    }
}

static double moved_towards_zero(double value, double step) {
    return value - fmax(-step, fmin(value, step));
}
