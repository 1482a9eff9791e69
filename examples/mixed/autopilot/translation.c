/* Pushing the vehicle along the thrust of the main engine, with the same jets
 * that turn it about U and V.
 *
 * The engine needs a push forward to settle its propellant. Otherwise the crew may
 * push either way, while it flies the vehicle by pulses. A push in the same direction
 * for two steps is followed by a rest, so that a stuck controller does not empty
 * the tanks:
 *
 *     READY      no push     READY         a push     PUSHED
 *     PUSHED     no push     READY         a push     RESTING
 *     RESTING                always                   READY, without a push */
#include "autopilot.h"

static enum push push_by_crew(struct translation *translation, int controller);
static enum push read_controller(int controller);

enum push translation_step(struct translation *translation, enum mode mode, int controller,
                           const struct engine *engine) {
    if (engine->phase == ENGINE_ULLAGE) {
        translation->phase = TRANSLATION_READY;
        return PUSH_FORWARD;
    }
    if (mode != MODE_PULSE) {
        translation->phase = TRANSLATION_READY;
        return PUSH_NONE;
    }
    return push_by_crew(translation, controller);
}

static enum push push_by_crew(struct translation *translation, int controller) {
    if (translation->phase == TRANSLATION_RESTING) {
        translation->phase = TRANSLATION_READY;
        return PUSH_NONE;
    }
    enum push push = read_controller(controller);
    if (push == PUSH_NONE)
        translation->phase = TRANSLATION_READY;
    else if (translation->phase == TRANSLATION_READY || push != translation->last)
        translation->phase = TRANSLATION_PUSHED;
    else
        translation->phase = TRANSLATION_RESTING;
    translation->last = push;
    return push;
}

static enum push read_controller(int controller) {
    if (controller > 0)
        return PUSH_FORWARD;
    if (controller < 0)
        return PUSH_BACKWARD;
    return PUSH_NONE;
}
