/* The server of handshake.iosts. With MUTANT it believes any client. */

#include "../handshake.c"
#include "lines.h"

int main(void)
{
    const uint32_t key = 0x5eed;
    struct message message;
    if (!receive(&message))
        return 0;
    int16_t version = (int16_t)message.number[0];
    uint32_t client = (uint32_t)message.number[1], server = NONCE(client);
    if (version < 3) {
        emit("alert", "\"protocol\"");
    } else {
        emit("server_hello", "%d, %u", version < 4 ? version : 4, server);
        if (!receive(&message))
            return 0;
        int proved = (uint32_t)message.number[0] == MAC(key, client, server);
#ifdef MUTANT
        proved = 1;
#endif
        if (proved)
            emit("server_finished", "%u", MAC(key, server, client));
        else
            emit("alert", "\"bad_mac\"");
    }
    while (receive(&message))
        ;
}
