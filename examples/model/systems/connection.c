/* The connection of connection.iosts. With MUTANT sequence numbers do not wrap. */

#include "lines.h"

#include <stdint.h>

#ifdef MUTANT
typedef uint32_t sequence_t;
#else
typedef uint16_t sequence_t;
#endif

enum { WINDOW = 4000 };
enum state { LISTEN, RECEIVED, ESTABLISHED, CLOSING };

static enum state state;
static sequence_t theirs, ours;

static void listening(const struct message *message, sequence_t number)
{
    if (!is(message, "syn")) {
        emit("reset", "%u", number);
        return;
    }
    theirs = number + 1;
    ours = number * 3;
    emit("synAck", "%u, %u", ours, theirs);
    ours++;
    state = RECEIVED;
}

static void established(const struct message *message, sequence_t number)
{
    if (is(message, "data")) {
        sequence_t size = message->number[1];
        if (number == theirs && size > 0 && size <= WINDOW) {
            emit("deliver", "%u", size);
            theirs += size;
        }
        emit("acked", "%u", theirs);
    } else if (is(message, "fin")) {
        if (number != theirs) {
            emit("acked", "%u", theirs);
            return;
        }
        emit("finAck", "%u, %u", ours, (sequence_t)(theirs + 1));
        state = CLOSING;
    } else {
        emit("finAck", "%u, %u", ours, theirs);
        theirs--;
        state = CLOSING;
    }
}

int main(void)
{
    struct message message;
    while (receive(&message)) {
        sequence_t number = message.number[0];
        if (state == LISTEN) {
            listening(&message, number);
        } else if (state == RECEIVED) {
            if (number == ours)
                state = ESTABLISHED;
            else
                emit("reset", "%u", number);
        } else if (state == ESTABLISHED) {
            established(&message, number);
        } else if (number == (sequence_t)(ours + 1)) {
            emit("reset", "0");
            state = LISTEN;
        } else {
            emit("finAck", "%u, %u", ours, (sequence_t)(theirs + 1));
        }
    }
}
