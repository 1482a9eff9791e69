/* Sixteen jets in four clusters around the vehicle.
 *
 *     clusters 0 and 2 lie on V and turn the vehicle about U,
 *     clusters 1 and 3 lie on U and turn it about V,
 *     any two that face each other turn it about P.
 *
 * Each cluster has one jet up and one down along the thrust of the main engine,
 * and one to each side. A cluster is left out when it has failed, and when it has
 * to cool after long firings. One of two is still good for half the acceleration;
 * about P the other two help out. */
#include "autopilot.h"

/* What one jet gives to a vehicle of ten tonnes. */
static const double ACROSS_ACCELERATION = 0.5;
static const double ALONG_ACCELERATION = 0.4;

/* How many firings in a row, each as long as its mode allows, a cluster bears. */
enum { FIRINGS_UNTIL_HOT = 2 };

/* The clusters that face each other. */
static const int PAIRS[2][2] = {{0, 2}, {1, 3}};

static bool is_available(const struct jets *jets, int cluster);
static void add_pair(struct jet_group *group, const struct jets *jets, const int pair[2]);
static enum role role_of(enum axis axis, int cluster, int direction);
static enum role role_of_push(enum push push);
static enum role opposite(enum role role);

void jets_start(struct jets *jets, int failed_cluster) {
    for (int cluster = 0; cluster < CLUSTERS; cluster++) {
        jets->is_failed[cluster] = cluster == failed_cluster;
        jets->long_firings[cluster] = 0;
    }
}

struct jet_group jets_for(const struct jets *jets, enum axis axis, enum push push,
                          double inertia) {
    struct jet_group group = {axis, 0, 0, 0};
    double each = ACROSS_ACCELERATION;
    switch (axis) {
    case AXIS_U:
        add_pair(&group, jets, PAIRS[0]);
        break;
    case AXIS_V:
        add_pair(&group, jets, PAIRS[1]);
        break;
    case AXIS_P:
    case AXES:
        /* One jet alone would push the vehicle sideways, so it takes a pair. */
        each = ALONG_ACCELERATION;
        add_pair(&group, jets, PAIRS[0]);
        if (group.count < 2) {
            group.clusters = 0;
            group.count = 0;
            add_pair(&group, jets, PAIRS[1]);
        }
        break;
    }
    /* Of two jets that push the vehicle, only one can be spared to turn it. */
    if (push != PUSH_NONE && axis != AXIS_P && group.count == 2)
        each /= 2;
    group.acceleration = group.count * each / inertia;
    return group;
}

unsigned jets_valves(const struct jets *jets, const struct jet_group *group, int direction,
                     enum push push) {
    unsigned valves = 0;
    for (int cluster = 0; cluster < CLUSTERS; cluster++) {
        if (push != PUSH_NONE && is_available(jets, cluster))
            valves |= jets_valve(cluster, role_of_push(push));
        if (direction == 0 || !(group->clusters & 1u << cluster))
            continue;
        enum role role = role_of(group->axis, cluster, direction);
        /* Rather than one jet against the other, none. */
        if (valves & jets_valve(cluster, opposite(role)))
            valves &= ~jets_valve(cluster, opposite(role));
        else
            valves |= jets_valve(cluster, role);
    }
    return valves;
}

unsigned jets_valve(int cluster, enum role role) {
    return 1u << (ROLES * cluster + role);
}

bool jets_must_cool(const struct jets *jets, int cluster) {
    return jets->long_firings[cluster] >= FIRINGS_UNTIL_HOT;
}

void jets_fired(struct jets *jets, const struct jet_group *group, bool is_long) {
    for (int cluster = 0; cluster < CLUSTERS; cluster++) {
        bool has_fired = group->clusters & 1u << cluster;
        if (has_fired && is_long)
            jets->long_firings[cluster]++;
        else
            jets->long_firings[cluster] = 0;
    }
}

static bool is_available(const struct jets *jets, int cluster) {
    return !jets->is_failed[cluster] && !jets_must_cool(jets, cluster);
}

static void add_pair(struct jet_group *group, const struct jets *jets, const int pair[2]) {
    for (int i = 0; i < 2; i++)
        if (is_available(jets, pair[i])) {
            group->clusters |= 1u << pair[i];
            group->count++;
        }
}

/* The two clusters of a pair push opposite ways across the thrust, and the same
 * way around it. */
static enum role role_of(enum axis axis, int cluster, int direction) {
    if (axis == AXIS_P)
        return direction > 0 ? ROLE_RIGHT : ROLE_LEFT;
    bool is_first = cluster < 2;
    return (direction > 0) == is_first ? ROLE_UP : ROLE_DOWN;
}

/* A jet that fires down pushes the vehicle forward. */
static enum role role_of_push(enum push push) {
    return push == PUSH_FORWARD ? ROLE_DOWN : ROLE_UP;
}

static enum role opposite(enum role role) {
    switch (role) {
    case ROLE_UP:
        return ROLE_DOWN;
    case ROLE_DOWN:
        return ROLE_UP;
    case ROLE_LEFT:
        return ROLE_RIGHT;
    case ROLE_RIGHT:
    case ROLES:
        break;
    }
    return ROLE_LEFT;
}
