/* The server of transfer.iosts. With MUTANT it does not forget who wrote a file. */

#include "lines.h"

#include <stdint.h>

enum { FULL = 512, DISK = 4096 };

static uint16_t peer, expected;
static long long bytes, blocks;

/* The file is done with, whatever became of it. */
static void finish(void)
{
#ifndef MUTANT
    peer = 0;
#endif
}

static void take(uint16_t from, uint16_t block, int size)
{
    if (from != peer || from == 0) {
        emit("error", "%u, \"stranger\"", from);
    } else if (block == (uint16_t)(expected - 1)) {
        emit("ack", "%u, %u", peer, block);
    } else if (block != expected) {
        emit("error", "%u, \"order\"", peer);
        finish();
    } else if (size < FULL) {
        emit("ack", "%u, %u", peer, block);
        blocks++;
        emit("saved", "%lld, %lld", blocks, bytes);
        finish();
    } else if (bytes >= DISK) {
        emit("error", "%u, \"full\"", peer);
        finish();
    } else {
        emit("ack", "%u, %u", peer, block);
        expected++;
        bytes += FULL;
        blocks++;
    }
}

int main(void)
{
    struct message message;
    while (receive(&message)) {
        const long long *number = message.number;
        if (is(&message, "data")) {
            take((uint16_t)number[0], (uint16_t)number[1], (int)number[2]);
            continue;
        }
        uint16_t from = (uint16_t)number[1];
        if (message.text[0][0] == '/') {
            emit("error", "%u, \"access\"", from);
        } else if (message.text[0][0] == '\0') {
            emit("error", "%u, \"name\"", from);
        } else {
            peer = from;
            expected = 1;
            bytes = 0;
            blocks = 0;
            emit("ack", "%u, 0", from);
        }
    }
}
