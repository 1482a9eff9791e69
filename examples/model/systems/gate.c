/* The gate of gate.iosts. With MUTANT the train that came last goes first. */

#include "lines.h"

enum { TRACKS = 4 };

static long long queue[TRACKS];
static int count;

int main(void)
{
    struct message message;
    while (receive(&message)) {
        if (is(&message, "approach")) {
            if (count > 0)
                emit("stop", "%lld", message.number[0]);
            queue[count] = message.number[0];
            count++;
            continue;
        }
        count--;
#ifdef MUTANT
        queue[0] = queue[count];
#else
        for (int i = 0; i < count; i++)
            queue[i] = queue[i + 1];
#endif
        if (count > 0)
            emit("go", "%lld", queue[0]);
    }
}
