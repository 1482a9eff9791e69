/* The parts of the autopilot, and what they say to each other.
 *
 * One step of the autopilot goes through them in this order:
 *
 *     sensors      is the gyro to be believed, and what is the attitude then?
 *     modes        what did the crew and the computer ask for?
 *     engine       is the main engine burning, and does it push straight?
 *     translation  is the vehicle to be pushed, and which way?
 *     alarms       what is the crew to be told?
 *     guidance     how far are attitude and rate from what they should be?
 *     jets         which jets are there for the axis whose turn it is?
 *     phase_plane  for how long must they fire?
 *     monitor      may the valves be opened like that?
 *     dynamics     what will the attitude be at the next step?
 *
 * Angles are in degrees, times in seconds, masses in tonnes. */
#ifndef AUTOPILOT_H
#define AUTOPILOT_H

#include <stdbool.h>

/* How many steps are flown. */
#ifndef STEPS
#define STEPS 2
#endif

/* The length of a step. No jet fires for longer in it. */
#define PERIOD 2.5

/* A cluster of jets that does not work, 0 to 3, or NO_CLUSTER. */
#ifndef FAILED_CLUSTER
#define FAILED_CLUSTER NO_CLUSTER
#endif

/* More than this, on the average of the steps, is what the observer waits for. */
#define JET_TIME_LIMIT (1.5 * STEPS)

/* Axes: P along the thrust of the main engine, U and V across it, each through
 * two of the four clusters of jets. */
enum axis { AXIS_P, AXIS_U, AXIS_V, AXES };

/* What comes from outside in one step. */

enum mode_switch { SWITCH_OFF, SWITCH_PULSE, SWITCH_HOLD, SWITCH_AUTO, SWITCH_POSITIONS };

struct inputs {
    int mode_switch;      /* a mode_switch */
    int engine_on;        /* whether guidance wants the main engine */
    int controller;       /* which way the crew pushes: below, at or above 0 */
    double stick;         /* how far the hand controller is moved: -1 to 1 */
    double gyro[AXES];    /* the attitude as it was measured */
    double command[AXES]; /* the attitude guidance wants */
};

/* Sensors. */

enum sensor_health {
    SENSOR_TRUSTED,  /* the last reading was plausible */
    SENSOR_DOUBTED,  /* it was not; one more and it is given up */
    SENSOR_GIVEN_UP, /* only switching off and on again helps */
};

struct estimate {
    enum sensor_health health;
    double attitude[AXES];
    double rate[AXES];
};

/* Corrects the estimate, which is a prediction until then, by what was measured. */
void sensors_read(struct estimate *estimate, const double gyro[AXES]);

/* Believes whatever comes next. */
void sensors_restart(struct estimate *estimate);

/* Modes. */

enum mode {
    MODE_OFF,
    MODE_DRIFT,     /* there is nothing to steer by */
    MODE_PULSE,     /* one short pulse for each step with the stick moved */
    MODE_HOLD,      /* keeps the attitude */
    MODE_RATE,      /* turns as fast as the stick says */
    MODE_ARMED,     /* as MODE_HOLD, and automatic as soon as guidance is near */
    MODE_AUTOMATIC, /* follows guidance */
};

struct modes {
    enum mode mode;
    double held[AXES]; /* the attitude MODE_HOLD and MODE_ARMED keep */
};

/* Goes to the mode for this step. */
void modes_step(struct modes *modes, const struct inputs *inputs, struct estimate *estimate);

/* The longest firing a mode allows in one step. */
double modes_longest_firing(enum mode mode);

/* Whether the stick is out of its detent, where nobody touches it. */
bool stick_is_moved(double stick);

/* The main engine. */

enum engine_phase {
    ENGINE_OFF,
    ENGINE_ULLAGE, /* the jets settle the propellant */
    ENGINE_BURNING,
    ENGINE_TAIL_OFF, /* no thrust any more, but not to be started yet */
};

enum gimbal_phase { GIMBAL_LOCKED, GIMBAL_TRIMMING, GIMBAL_TRIMMED };

struct engine {
    enum engine_phase phase;
    enum gimbal_phase gimbal;
    double offset; /* by how much the thrust misses the centre of mass: -1 to 1 */
};

void engine_step(struct engine *engine, enum mode mode, int engine_on);

/* The angular acceleration about an axis that comes from thrust off the centre. */
double engine_disturbance(const struct engine *engine, enum axis axis, double inertia);

/* The mass one step takes from the vehicle. */
double engine_consumption(const struct engine *engine);

/* Translation. */

enum push { PUSH_BACKWARD = -1, PUSH_NONE, PUSH_FORWARD };

enum translation_phase { TRANSLATION_READY, TRANSLATION_PUSHED, TRANSLATION_RESTING };

struct translation {
    enum translation_phase phase;
    enum push last;
};

/* Which way the vehicle is pushed in this step. */
enum push translation_step(struct translation *translation, enum mode mode, int controller,
                           const struct engine *engine);

/* Guidance. */

/* How far an axis is from where it should be. */
struct deviation {
    double error; /* of the attitude */
    double rate;  /* of the rate */
};

struct guidance {
    int step;       /* how many there have been */
    enum axis axis; /* the one that gets the jets */
    struct deviation deviation;
    double deadband; /* errors below it are left alone */
};

/* Chooses the axis for this step. Being careful means to leave greater errors alone
 * than the mode would. */
void guidance_step(struct guidance *guidance, const struct modes *modes,
                   const struct inputs *inputs, const struct estimate *estimate,
                   bool is_careful);

/* How far one attitude is from another, over all axes. */
double guidance_distance(const double from[AXES], const double to[AXES]);

/* Jets. */

enum { CLUSTERS = 4, NO_CLUSTER = CLUSTERS };

struct jets {
    bool is_failed[CLUSTERS];
    int long_firings[CLUSTERS]; /* in a row; after two of them a cluster must cool */
};

/* The jets that turn the vehicle about one axis, and what they can do. */
struct jet_group {
    enum axis axis;
    unsigned clusters; /* one bit for each that takes part */
    int count;         /* of jets, whichever way they push */
    double acceleration;
};

void jets_start(struct jets *jets, int failed_cluster);

/* The jets for an axis that may be used now. */
struct jet_group jets_for(const struct jets *jets, enum axis axis, enum push push,
                          double inertia);

/* The valves to open, one bit for each jet of each cluster, so that a group turns
 * the vehicle in one direction (+1, -1, or 0 for not at all) while it is pushed. */
unsigned jets_valves(const struct jets *jets, const struct jet_group *group, int direction,
                     enum push push);

/* The bit of one jet. */
enum role { ROLE_UP, ROLE_DOWN, ROLE_LEFT, ROLE_RIGHT, ROLES };
unsigned jets_valve(int cluster, enum role role);

/* Whether a cluster has fired too long to fire again now. */
bool jets_must_cool(const struct jets *jets, int cluster);

/* Remembers who has fired, and whether it was for as long as the mode allows. */
void jets_fired(struct jets *jets, const struct jet_group *group, bool is_long);

/* Phase plane. */

enum zone {
    ZONE_DEADBAND, /* near enough */
    ZONE_AWAY,     /* the error grows */
    ZONE_COAST,    /* the error shrinks as it should */
    ZONE_SLOW,     /* it shrinks too slowly */
    ZONE_FAST,     /* it shrinks too fast to be stopped in time */
};

struct firing {
    enum zone zone;
    int direction; /* +1 to raise the rate, -1 to lower it, 0 for none */
    double time;
};

/* The firing that brings a deviation back with jets of that acceleration. */
struct firing phase_plane_firing(const struct deviation *deviation, double acceleration,
                                 double deadband);

/* The firing that only brings the rate back. */
struct firing phase_plane_rate_firing(double rate, double acceleration);

/* Alarms. */

enum alarm { ALARM_GYRO, ALARM_CLUSTER_FAILED, ALARM_CLUSTER_HOT, ALARM_GUIDANCE, ALARMS };

enum alarm_state { ALARM_QUIET, ALARM_SOUNDING, ALARM_LIT };

struct alarms {
    enum alarm_state states[ALARMS];
};

struct autopilot;

void alarms_start(struct alarms *alarms);

/* Looks for causes, after the mode has changed from the one before. */
void alarms_step(struct autopilot *autopilot, enum mode before);

/* Whether so much is wrong that the autopilot should do less. */
bool alarms_urge_care(const struct alarms *alarms);

/* Monitor. */

/* Fails an assertion when the valves would do harm. */
void monitor_valves(const struct autopilot *autopilot, const struct jet_group *group);

/* Dynamics. */

/* The moment of inertia of a vehicle of that mass, in parts of one of ten tonnes. */
double dynamics_inertia(double mass);

/* What the attitude and rate will be at the next step. */
void dynamics_predict(struct estimate *estimate, const struct guidance *guidance,
                      const struct firing *firing, double acceleration,
                      const struct engine *engine, double inertia);

/* All of it. */

struct autopilot {
    struct estimate estimate;
    struct modes modes;
    struct engine engine;
    struct translation translation;
    struct guidance guidance;
    struct alarms alarms;
    struct jets jets;
    double mass;
    enum push push;  /* in the last step */
    unsigned valves; /* the jets of the last step */
    double jet_time; /* for how long jets have fired since the start */
};

/* What the vehicle is like when the autopilot takes over, in MODE_HOLD. */
struct start {
    double mass;
    double rate[AXES];
    double engine_offset;
};

void autopilot_start(struct autopilot *autopilot, const struct start *start);
void autopilot_step(struct autopilot *autopilot, const struct inputs *inputs);

#endif
