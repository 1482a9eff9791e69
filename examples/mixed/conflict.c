/* A conflict probe: will two aircraft come too close within three minutes, and
 * what should the first of them do about it?
 *
 *     everypath run examples/mixed/conflict.c --complex mixed
 *
 * Every quantity is a double, and every decision hangs on sin, cos, tan, sqrt or
 * pow of them. An aircraft flies straight on, or first turns along an arc whose
 * radius follows from its speed and bank. Two straight paths are compared in
 * closed form; where a turn is involved the probe steps through time. Separation
 * is lost when the aircraft are within 5 nautical miles and within 1,000 feet.
 *
 * The exit status is the verdict plus eight times the advice, as the two enums
 * below number them. Every side of every branch can be taken.
 *
 * Positions are in nautical miles east and north of the first aircraft, altitudes
 * in feet above it, speeds in knots, climb in feet a minute, times in seconds.
 * Angles are in degrees where they are inputs, headings clockwise from north, and
 * in radians from there on. */
#include <everypath.h>
#include <math.h>

enum verdict {
    CLEAR,        /* nothing comes near */
    NEAR_MISS,    /* separation is kept, but not by much */
    DIVERGING,    /* they only get farther from each other */
    STACKED,      /* they are at different levels, and stay there */
    LOSS_NOW,     /* separation is already lost */
    LOSS_SOON,    /* it will be, and there is no time for a turn */
    LOSS_LATER,   /* it will be, and there is */
};

enum advice { NONE, TURN_RIGHT, TURN_LEFT, SLOW_DOWN, CLIMB, DESCEND, LEVEL_OFF };

enum encounter { HEAD_ON, OVERTAKING, OVERTAKEN, FROM_THE_RIGHT, FROM_THE_LEFT };

enum { STEPS = 6, HALVINGS = 3 };

static const double STEP = 30, HORIZON = 180, SOON = 75;
static const double SEPARATION = 5, ALERT = 7;
static const double LEVEL_SEPARATION = 1000, LEVEL_ALERT = 1300;
static const double AVOIDING_TURN = 35;

static const double DEGREE = 3.14159265358979323846 / 180;
static const double HALF_TURN = 3.14159265358979323846;
static const double KNOT = 1.0 / 3600; /* nautical miles a second */
static const double FEET_A_MINUTE = 1.0 / 60;
static const double GRAVITY = 9.80665 / 1852; /* nautical miles a second squared */

struct aircraft {
    double x, y, altitude;
    double speed;   /* nautical miles a second */
    double heading; /* radians */
    double climb;   /* feet a second */
    double bank;    /* radians, positive to the right */
    double turn;    /* radians, how far to turn that way */
};

/* The arc an aircraft flies before it goes straight on. */
struct arc {
    double rate;     /* radians a second, positive to the right */
    double duration; /* seconds, 0 for an aircraft that does not turn */
};

/* Where an aircraft is, and where it is going. */
struct state {
    double x, y, altitude, heading;
    bool is_turning;
};

/* When and how close two straight paths come to each other. */
struct approach {
    double time, distance;
    bool is_closing;
};

/* A time from which separation is lost, if it is. */
struct loss {
    bool is_expected;
    double time;
    double closest; /* how near they come horizontally if it is not */
};

/* Paths. */

static double length(double x, double y) {
    return sqrt(pow(x, 2) + pow(y, 2));
}

/* The same direction, within half a turn of north. */
static double normalized(double angle) {
    if (angle > HALF_TURN)
        return angle - 2 * HALF_TURN;
    if (angle < -HALF_TURN)
        return angle + 2 * HALF_TURN;
    return angle;
}

/* A turn so slight that it hardly changes the path counts as none, and no turn is
 * flown at more than three degrees a second. */
static struct arc plan_arc(const struct aircraft *plane) {
    struct arc none = {0, 0};
    const double fastest = 3 * DEGREE;
    if (fabs(plane->bank) < 2 * DEGREE)
        return none;
    if (plane->turn < 5 * DEGREE)
        return none;

    double radius = pow(plane->speed, 2) / (GRAVITY * tan(plane->bank));
    struct arc arc = {.rate = plane->speed / radius};
    if (arc.rate > fastest)
        arc.rate = fastest;
    else if (arc.rate < -fastest)
        arc.rate = -fastest;

    arc.duration = plane->turn / fabs(arc.rate);
    if (arc.duration > HORIZON)
        arc.duration = HORIZON;
    return arc;
}

static struct state state_at(const struct aircraft *plane, const struct arc *arc, double time) {
    struct state state = {plane->x, plane->y, plane->altitude + plane->climb * time,
                          plane->heading, false};
    double straight = time;
    if (arc->duration > 0) {
        double turning = arc->duration;
        if (time < arc->duration) {
            turning = time;
            state.is_turning = true;
        }
        double radius = plane->speed / arc->rate;
        state.heading += arc->rate * turning;
        state.x += radius * (cos(plane->heading) - cos(state.heading));
        state.y += radius * (sin(state.heading) - sin(plane->heading));
        straight -= turning;
    }
    state.x += straight * plane->speed * sin(state.heading);
    state.y += straight * plane->speed * cos(state.heading);
    return state;
}

static double distance_between(const struct state *own, const struct state *other) {
    return length(other->x - own->x, other->y - own->y);
}

static bool is_lost(const struct state *own, const struct state *other) {
    return distance_between(own, other) < SEPARATION &&
           fabs(other->altitude - own->altitude) < LEVEL_SEPARATION;
}

/* Two straight paths. */

/* The aircraft's velocity along its heading. */
static double eastward(const struct aircraft *plane) {
    return plane->speed * sin(plane->heading);
}

static double northward(const struct aircraft *plane) {
    return plane->speed * cos(plane->heading);
}

static struct approach closest_approach(const struct aircraft *own, const struct aircraft *other) {
    double x = other->x - own->x, y = other->y - own->y;
    double vx = eastward(other) - eastward(own), vy = northward(other) - northward(own);
    struct approach approach = {0, length(x, y), false};

    double relative_speed = length(vx, vy);
    if (relative_speed < 5 * KNOT)
        return approach; /* in formation: the distance stays what it is */
    double time = -(x * vx + y * vy) / pow(relative_speed, 2);
    if (time <= 0)
        return approach;
    if (time > HORIZON)
        time = HORIZON;

    approach.time = time;
    approach.distance = length(x + vx * time, y + vy * time);
    approach.is_closing = true;
    return approach;
}

/* Narrows the times [from, until] to those at which the levels are too close, too. */
static bool levels_meet(const struct aircraft *own, const struct aircraft *other, double *from,
                        double *until) {
    double above = other->altitude - own->altitude;
    double rising = other->climb - own->climb;
    if (fabs(rising) < 50 * FEET_A_MINUTE)
        return fabs(above) < LEVEL_SEPARATION;

    double enters = (-LEVEL_SEPARATION - above) / rising;
    double leaves = (LEVEL_SEPARATION - above) / rising;
    if (rising < 0) {
        double kept = enters;
        enters = leaves;
        leaves = kept;
    }
    if (enters > *from)
        *from = enters;
    if (leaves < *until)
        *until = leaves;
    return *from < *until;
}

/* The distance is SEPARATION twice, around the closest approach: the roots of a
 * square equation in the time. */
static struct loss straight_loss(const struct aircraft *own, const struct aircraft *other,
                                 const struct approach *approach) {
    struct loss loss = {false, 0, approach->distance};
    if (approach->distance >= SEPARATION)
        return loss;

    double x = other->x - own->x, y = other->y - own->y;
    double vx = eastward(other) - eastward(own), vy = northward(other) - northward(own);
    double from = 0, until = HORIZON;
    if (approach->is_closing) {
        double a = pow(vx, 2) + pow(vy, 2);
        double half_b = x * vx + y * vy;
        double c = pow(x, 2) + pow(y, 2) - pow(SEPARATION, 2);
        double root = sqrt(pow(half_b, 2) - a * c);
        if (c > 0)
            from = (-half_b - root) / a;
        if ((-half_b + root) / a < HORIZON)
            until = (-half_b + root) / a;
    }
    loss.is_expected = levels_meet(own, other, &from, &until);
    loss.time = from;
    return loss;
}

/* Paths with a turn. */

/* Halves the step in which separation is lost to find out when. */
static double first_loss(const struct aircraft *own, const struct arc *own_arc,
                         const struct aircraft *other, const struct arc *other_arc, double before,
                         double after) {
    for (int i = 0; i < HALVINGS; i++) {
        double middle = (before + after) / 2;
        struct state own_state = state_at(own, own_arc, middle);
        struct state other_state = state_at(other, other_arc, middle);
        if (is_lost(&own_state, &other_state))
            after = middle;
        else
            before = middle;
    }
    return after;
}

static struct loss turning_loss(const struct aircraft *own, const struct arc *own_arc,
                                const struct aircraft *other, const struct arc *other_arc) {
    struct loss loss = {false, 0, length(other->x - own->x, other->y - own->y)};
    double previous = loss.closest;
    for (int step = 1; step <= STEPS; step++) {
        double time = step * STEP;
        struct state own_state = state_at(own, own_arc, time);
        struct state other_state = state_at(other, other_arc, time);
        if (is_lost(&own_state, &other_state)) {
            loss.is_expected = true;
            loss.time = first_loss(own, own_arc, other, other_arc, time - STEP, time);
            return loss;
        }
        double distance = distance_between(&own_state, &other_state);
        loss.closest = fmin(loss.closest, distance);
        /* Straight paths that have begun to part never meet again. */
        if (!own_state.is_turning && !other_state.is_turning && distance > previous)
            return loss;
        previous = distance;
    }
    return loss;
}

/* Advice. */

/* How the other aircraft comes, seen from the first when separation is lost. */
static enum encounter encounter_at(const struct aircraft *own, const struct arc *own_arc,
                                   const struct aircraft *other, const struct arc *other_arc,
                                   double time) {
    struct state own_state = state_at(own, own_arc, time);
    struct state other_state = state_at(other, other_arc, time);
    double angle = normalized(normalized(other_state.heading - own_state.heading));
    if (fabs(angle) > 150 * DEGREE)
        return HEAD_ON;
    if (fabs(angle) < 30 * DEGREE) {
        double ahead = (other_state.x - own_state.x) * sin(own_state.heading) +
                       (other_state.y - own_state.y) * cos(own_state.heading);
        return ahead > 0 ? OVERTAKING : OVERTAKEN;
    }
    return angle < 0 ? FROM_THE_RIGHT : FROM_THE_LEFT;
}

/* Whether flying straight on after a turn by that much keeps the separation. */
static bool helps(const struct aircraft *own, const struct aircraft *other, double turn) {
    struct aircraft turned = *own;
    turned.heading = own->heading + turn;
    return closest_approach(&turned, other).distance >= SEPARATION;
}

static enum advice advise_level(const struct aircraft *own, const struct aircraft *other,
                                double time) {
    double above = other->altitude + other->climb * time - own->climb * time;
    if (above > 0)
        return own->climb > 500 * FEET_A_MINUTE ? LEVEL_OFF : DESCEND;
    return own->climb < -500 * FEET_A_MINUTE ? LEVEL_OFF : CLIMB;
}

static enum advice advise(const struct aircraft *own, const struct aircraft *other,
                          enum encounter encounter, double time, bool may_turn) {
    if (time < SOON || !may_turn)
        return advise_level(own, other, time);
    if (encounter == OVERTAKING)
        return SLOW_DOWN;
    if (encounter == OVERTAKEN)
        return NONE; /* who overtakes gives way */

    bool goes_left = encounter == FROM_THE_LEFT;
    if (helps(own, other, (goes_left ? -AVOIDING_TURN : AVOIDING_TURN) * DEGREE))
        return goes_left ? TURN_LEFT : TURN_RIGHT;
    return advise_level(own, other, time);
}

/* The probe. */

struct answer {
    enum verdict verdict;
    enum advice advice;
};

/* Whether no climb or descent brings the levels together before the horizon. */
static bool are_stacked(const struct aircraft *own, const struct aircraft *other) {
    double above = other->altitude - own->altitude;
    double above_later = above + (other->climb - own->climb) * HORIZON;
    if (above > 0)
        return above > LEVEL_ALERT && above_later > LEVEL_ALERT;
    return above < -LEVEL_ALERT && above_later < -LEVEL_ALERT;
}

static struct answer probe(const struct aircraft *own, const struct aircraft *other,
                           bool may_turn) {
    struct arc own_arc = plan_arc(own), other_arc = plan_arc(other);
    struct answer answer = {CLEAR, NONE};

    struct state own_now = state_at(own, &own_arc, 0), other_now = state_at(other, &other_arc, 0);
    if (is_lost(&own_now, &other_now)) {
        answer.verdict = LOSS_NOW;
        answer.advice = advise_level(own, other, 0);
        return answer;
    }
    if (are_stacked(own, other)) {
        answer.verdict = STACKED;
        return answer;
    }

    struct loss loss;
    if (own_arc.duration > 0 || other_arc.duration > 0) {
        loss = turning_loss(own, &own_arc, other, &other_arc);
    } else {
        struct approach approach = closest_approach(own, other);
        if (!approach.is_closing && approach.distance > ALERT) {
            answer.verdict = DIVERGING;
            return answer;
        }
        loss = straight_loss(own, other, &approach);
    }

    if (!loss.is_expected) {
        answer.verdict = loss.closest < ALERT ? NEAR_MISS : CLEAR;
        return answer;
    }
    answer.verdict = loss.time < SOON ? LOSS_SOON : LOSS_LATER;
    enum encounter encounter = encounter_at(own, &own_arc, other, &other_arc, loss.time);
    answer.advice = advise(own, other, encounter, loss.time, may_turn);
    return answer;
}

/* Inputs. */

static double any_between(double low, double high, const char *name) {
    double value;
    ep_symbolic(&value, sizeof value, name);
    ep_assume((value >= low) & (value <= high)); /* no branch: one assumption */
    return value;
}

/* The motion of an airliner that is anywhere. */
static struct aircraft any_motion(const char *name) {
    struct aircraft plane = {0};
    plane.speed = any_between(250, 550, name) * KNOT;
    plane.heading = any_between(0, 360, name) * DEGREE;
    plane.climb = any_between(-2500, 2500, name) * FEET_A_MINUTE;
    plane.bank = any_between(-35, 35, name) * DEGREE;
    plane.turn = any_between(0, 150, name) * DEGREE;
    return plane;
}

int main(void) {
    struct aircraft own = any_motion("own"), other = any_motion("other");
    other.x = any_between(-40, 40, "east");
    other.y = any_between(-40, 40, "north");
    other.altitude = any_between(-4000, 4000, "above");
    int may_turn = ep_range(0, 2, "may turn");

    struct answer answer = probe(&own, &other, may_turn);
    return answer.verdict + 8 * answer.advice;
}
