/* The elevator of elevator.iosts. With MUTANT its doors stay shut when it arrives. */

#include "lines.h"

int main(void)
{
    enum { FLOORS = 3 };
    int wanted[FLOORS] = {0}, floor = 0;
    struct message message;
    while (receive(&message)) {
        if (is(&message, "call")) {
            int called = (int)message.number[0];
            if (called == floor)
                emit("doors", "true");
            else
                wanted[called] = 1;
            continue;
        }
        int goal = -1;
        for (int i = floor + 1; i < FLOORS && goal < 0; i++)
            goal = wanted[i] ? i : -1;
        for (int i = floor - 1; i >= 0 && goal < 0; i--)
            goal = wanted[i] ? i : -1;
        if (goal < 0)
            continue;
        emit("doors", "false");
        for (; floor < goal; floor++)
            emit("move", "\"up\"");
        for (; floor > goal; floor--)
            emit("move", "\"down\"");
        wanted[goal] = 0;
        emit("arrived", "%d", floor);
#ifndef MUTANT
        emit("doors", "true");
#endif
    }
}
