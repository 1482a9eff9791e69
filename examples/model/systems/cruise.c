/* The cruise control of cruise.iosts. With MUTANT a speed survives that the engine is off. */

#include "lines.h"

enum { SLOWEST = 20, FASTEST = 200, MARGIN = 15, TOUCH = 5 };

static long long v, want, before;
static int is_active;

static long long least(long long a, long long b)
{
    return a < b ? a : b;
}

static long long most(long long a, long long b)
{
    return a > b ? a : b;
}

static void leave(void)
{
    is_active = 0;
    before = want;
    emit("off", "");
}

static void begin(void)
{
    if (before > 0) {
        want = before;
    } else if (v >= SLOWEST) {
        want = v;
    } else {
        emit("refused", "");
        return;
    }
    is_active = 1;
    emit("wanted", "%lld", want);
}

static void change(const char *position)
{
    if (strcmp(position, "more") == 0)
        want = least(want + 1, FASTEST);
    else if (strcmp(position, "less") == 0)
        want = most(want - 1, 1);
    else if (strcmp(position, "muchMore") == 0)
        want = least((want / 10 + 1) * 10, FASTEST);
    else if (strcmp(position, "muchLess") == 0)
        want = most(want % 10 == 0 ? want - 10 : want - want % 10, 1);
    else
        want = v;
    emit("wanted", "%lld", want);
}

int main(void)
{
    struct message message;
    while (receive(&message)) {
        const char *position = message.text[0];
        if (is(&message, "engine")) {
            if (message.flag[0])
                continue;
            if (is_active)
                emit("off", "");
            is_active = 0;
#ifndef MUTANT
            before = 0;
#endif
            v = 0;
        } else if (is(&message, "speed")) {
            v = message.number[0];
            if (is_active && v > want + MARGIN)
                emit("brake", "%lld", v - want);
        } else if (is(&message, "pedal")) {
            if (message.number[0] > TOUCH)
                leave();
        } else if (strcmp(position, "leave") == 0) {
            if (is_active)
                leave();
        } else if (is_active) {
            change(position);
        } else if (strcmp(position, "set") == 0) {
            begin();
        } else {
            emit("refused", "");
        }
    }
}
