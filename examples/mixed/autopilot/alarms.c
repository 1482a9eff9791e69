/* What the crew is told, and until when.
 *
 * Each alarm is a small machine of its own. Its cause makes it sound; when the
 * cause is gone it stays lit until the crew has seen it, which is when the switch
 * is in the off or pulse position:
 *
 *     QUIET       cause     SOUNDING
 *     SOUNDING    cause     SOUNDING      none    LIT, or QUIET when it was seen
 *     LIT         cause     SOUNDING      none    LIT, or QUIET when it was seen
 *
 * The autopilot listens too: with two alarms that sound it becomes careful, and
 * wastes no propellant on errors that may not be real. */
#include "autopilot.h"

enum { MANY = 2 };

static bool has_cause(enum alarm alarm, const struct autopilot *autopilot, enum mode before);
static bool has_hot_cluster(const struct jets *jets);
static bool has_failed_cluster(const struct jets *jets);
static enum alarm_state next_state(enum alarm_state state, bool is_caused, bool is_seen);

void alarms_start(struct alarms *alarms) {
    for (int alarm = 0; alarm < ALARMS; alarm++)
        alarms->states[alarm] = ALARM_QUIET;
}

void alarms_step(struct autopilot *autopilot, enum mode before) {
    enum mode now = autopilot->modes.mode;
    bool is_seen = now == MODE_OFF || now == MODE_PULSE;
    for (int alarm = 0; alarm < ALARMS; alarm++) {
        enum alarm_state *state = &autopilot->alarms.states[alarm];
        *state = next_state(*state, has_cause(alarm, autopilot, before), is_seen);
    }
}

bool alarms_urge_care(const struct alarms *alarms) {
    int sounding = 0;
    for (int alarm = 0; alarm < ALARMS; alarm++)
        if (alarms->states[alarm] == ALARM_SOUNDING)
            sounding++;
    return sounding >= MANY;
}

static bool has_cause(enum alarm alarm, const struct autopilot *autopilot, enum mode before) {
    switch (alarm) {
    case ALARM_GYRO:
        return autopilot->estimate.health != SENSOR_TRUSTED;
    case ALARM_CLUSTER_FAILED:
        return has_failed_cluster(&autopilot->jets);
    case ALARM_CLUSTER_HOT:
        return has_hot_cluster(&autopilot->jets);
    case ALARM_GUIDANCE:
        /* It went too far, or the crew took over: either is worth telling. */
        return before == MODE_AUTOMATIC && autopilot->modes.mode == MODE_HOLD;
    case ALARMS:
        break;
    }
    return false;
}

static bool has_failed_cluster(const struct jets *jets) {
    for (int cluster = 0; cluster < CLUSTERS; cluster++)
        if (jets->is_failed[cluster])
            return true;
    return false;
}

static bool has_hot_cluster(const struct jets *jets) {
    for (int cluster = 0; cluster < CLUSTERS; cluster++)
        if (jets_must_cool(jets, cluster))
            return true;
    return false;
}

static enum alarm_state next_state(enum alarm_state state, bool is_caused, bool is_seen) {
    if (is_caused)
        return ALARM_SOUNDING;
    if (is_seen || state == ALARM_QUIET)
        return ALARM_QUIET;
    return ALARM_LIT;
}
