/* Looks at the valves before they are opened, and trusts nobody.
 *
 * What it checks holds for every input; it is here to be proved. */
#include "autopilot.h"

#include <everypath.h>

static void check_cluster(const struct autopilot *autopilot, int cluster);
static unsigned jets_of(unsigned valves, int cluster);
static int count_open(unsigned valves);
static bool has_power(enum mode mode);

void monitor_valves(const struct autopilot *autopilot, const struct jet_group *group) {
    for (int cluster = 0; cluster < CLUSTERS; cluster++)
        check_cluster(autopilot, cluster);
    /* A vehicle that is switched off, or does not know its attitude, is left alone. */
    if (!has_power(autopilot->modes.mode))
        ep_assert(autopilot->valves == 0);
    /* To turn, a group closes some of the valves that push, and opens the others. */
    if (autopilot->push == PUSH_NONE)
        ep_assert(count_open(autopilot->valves) <= group->count);
    else
        ep_assert(count_open(autopilot->valves) <= CLUSTERS + group->count);
}

/* No jet works against another, and none works that may not. */
static void check_cluster(const struct autopilot *autopilot, int cluster) {
    unsigned jets = jets_of(autopilot->valves, cluster);
    unsigned across = jets_valve(0, ROLE_UP) | jets_valve(0, ROLE_DOWN);
    unsigned around = jets_valve(0, ROLE_LEFT) | jets_valve(0, ROLE_RIGHT);
    ep_assert((jets & across) != across);
    ep_assert((jets & around) != around);
    if (autopilot->jets.is_failed[cluster] || jets_must_cool(&autopilot->jets, cluster))
        ep_assert(jets == 0);
}

/* The valves of one cluster, where those of the first are. */
static unsigned jets_of(unsigned valves, int cluster) {
    return valves >> (ROLES * cluster) & ((1u << ROLES) - 1);
}

static int count_open(unsigned valves) {
    int count = 0;
    for (; valves != 0; valves &= valves - 1)
        count++;
    return count;
}

static bool has_power(enum mode mode) {
    return mode != MODE_OFF && mode != MODE_DRIFT;
}
