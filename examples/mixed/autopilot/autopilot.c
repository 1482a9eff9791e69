/* One step of the autopilot: from what comes in to what the jets do. */
#include "autopilot.h"

/* Which law decides about the jets. */
enum law { LAW_NONE, LAW_PULSE, LAW_RATE, LAW_PHASE_PLANE };

/* The jets that will fire, and how. */
struct decision {
    struct firing firing;
    struct jet_group group;
    bool is_long; /* as long as the mode allows */
};

static const double PULSE = 0.1;

/* A valve that opens for less than this does more harm than good. */
static const double SHORTEST_FIRING = 0.02;

static enum law law_of(enum mode mode);
static struct decision decide(const struct autopilot *autopilot, const struct inputs *inputs,
                              double inertia);
static struct decision decide_pulse(const struct autopilot *autopilot, double stick,
                                    double inertia);
static struct decision decide_rate(const struct autopilot *autopilot, double inertia);
static struct decision decide_phase_plane(const struct autopilot *autopilot, double inertia);
static struct decision nothing(void);

void autopilot_start(struct autopilot *autopilot, const struct start *start) {
    autopilot->estimate.health = SENSOR_TRUSTED;
    autopilot->modes.mode = MODE_HOLD;
    for (int axis = 0; axis < AXES; axis++) {
        autopilot->estimate.attitude[axis] = 0;
        autopilot->estimate.rate[axis] = start->rate[axis];
        autopilot->modes.held[axis] = 0;
    }
    autopilot->engine.phase = ENGINE_OFF;
    autopilot->engine.gimbal = GIMBAL_LOCKED;
    autopilot->engine.offset = start->engine_offset;
    autopilot->translation.phase = TRANSLATION_READY;
    autopilot->translation.last = PUSH_NONE;
    alarms_start(&autopilot->alarms);
    autopilot->guidance.step = 0;
    jets_start(&autopilot->jets, FAILED_CLUSTER);
    autopilot->mass = start->mass;
    autopilot->push = PUSH_NONE;
    autopilot->valves = 0;
    autopilot->jet_time = 0;
}

void autopilot_step(struct autopilot *autopilot, const struct inputs *inputs) {
    enum mode before = autopilot->modes.mode;
    sensors_read(&autopilot->estimate, inputs->gyro);
    modes_step(&autopilot->modes, inputs, &autopilot->estimate);
    engine_step(&autopilot->engine, autopilot->modes.mode, inputs->engine_on);
    autopilot->push = translation_step(&autopilot->translation, autopilot->modes.mode,
                                       inputs->controller, &autopilot->engine);
    alarms_step(autopilot, before);

    double inertia = dynamics_inertia(autopilot->mass);
    guidance_step(&autopilot->guidance, &autopilot->modes, inputs, &autopilot->estimate,
                  alarms_urge_care(&autopilot->alarms));
    struct decision decision = decide(autopilot, inputs, inertia);
    autopilot->valves = jets_valves(&autopilot->jets, &decision.group,
                                    decision.firing.direction, autopilot->push);
    monitor_valves(autopilot, &decision.group);

    autopilot->jet_time += decision.firing.time;
    jets_fired(&autopilot->jets, &decision.group, decision.is_long);
    dynamics_predict(&autopilot->estimate, &autopilot->guidance, &decision.firing,
                     decision.group.acceleration, &autopilot->engine, inertia);
    autopilot->mass -= engine_consumption(&autopilot->engine);
}

/* Decides which jets fire, in which direction and for how long. */
static struct decision decide(const struct autopilot *autopilot, const struct inputs *inputs,
                              double inertia) {
    struct decision decision = nothing();
    switch (law_of(autopilot->modes.mode)) {
    case LAW_NONE:
        return decision;
    case LAW_PULSE:
        return decide_pulse(autopilot, inputs->stick, inertia);
    case LAW_RATE:
        decision = decide_rate(autopilot, inertia);
        break;
    case LAW_PHASE_PLANE:
        decision = decide_phase_plane(autopilot, inertia);
        break;
    }
    if (decision.firing.direction == 0)
        return decision;
    double longest = modes_longest_firing(autopilot->modes.mode);
    if (decision.firing.time >= longest) {
        decision.firing.time = longest;
        decision.is_long = true;
    } else if (decision.firing.time < SHORTEST_FIRING) {
        return nothing();
    }
    return decision;
}

static enum law law_of(enum mode mode) {
    switch (mode) {
    case MODE_OFF:
    case MODE_DRIFT:
        return LAW_NONE;
    case MODE_PULSE:
        return LAW_PULSE;
    case MODE_RATE:
        return LAW_RATE;
    case MODE_HOLD:
    case MODE_ARMED:
    case MODE_AUTOMATIC:
        break;
    }
    return LAW_PHASE_PLANE;
}

/* The stick moves the vehicle about U, whatever its attitude is. */
static struct decision decide_pulse(const struct autopilot *autopilot, double stick,
                                    double inertia) {
    if (!stick_is_moved(stick))
        return nothing();
    struct jet_group group = jets_for(&autopilot->jets, AXIS_U, autopilot->push, inertia);
    if (group.count == 0)
        return nothing();
    int direction = stick > 0 ? 1 : -1;
    struct decision decision = {{ZONE_SLOW, direction, PULSE}, group, false};
    return decision;
}

static struct decision decide_rate(const struct autopilot *autopilot, double inertia) {
    const struct guidance *guidance = &autopilot->guidance;
    struct jet_group group =
        jets_for(&autopilot->jets, guidance->axis, autopilot->push, inertia);
    if (group.count == 0)
        return nothing();
    struct decision decision = {
        phase_plane_rate_firing(guidance->deviation.rate, group.acceleration), group, false};
    return decision;
}

static struct decision decide_phase_plane(const struct autopilot *autopilot, double inertia) {
    const struct guidance *guidance = &autopilot->guidance;
    struct jet_group group =
        jets_for(&autopilot->jets, guidance->axis, autopilot->push, inertia);
    if (group.count == 0)
        return nothing();
    struct decision decision = {
        phase_plane_firing(&guidance->deviation, group.acceleration, guidance->deadband), group,
        false};
    return decision;
}

static struct decision nothing(void) {
    struct decision decision = {{ZONE_DEADBAND, 0, 0}, {AXIS_P, 0, 0, 0}, false};
    return decision;
}
