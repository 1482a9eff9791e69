/* The crossing of crossing.iosts. With MUTANT it forgets the amber light. */

#include "lines.h"

int main(void)
{
    struct message message;
    int waiting[2] = {0, 0}, road = 0, left = 2;
    emit("light", "0, \"green\"");
    while (receive(&message)) {
        if (is(&message, "car")) {
            waiting[message.number[0]]++;
        } else if (is(&message, "tick") && --left == 0) {
            left = 2;
            waiting[road] = 0;
            if (waiting[1 - road] == 0)
                continue;
#ifndef MUTANT
            emit("light", "%d, \"amber\"", road);
#endif
            emit("light", "%d, \"red\"", road);
            road = 1 - road;
            emit("light", "%d, \"green\"", road);
        }
    }
}
