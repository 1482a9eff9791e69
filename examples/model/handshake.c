/* What handshake.iosts computes with: no cipher, but nothing a solver inverts. */

#include <stdint.h>

static uint32_t mixed(uint32_t x)
{
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}

uint32_t NONCE(uint32_t seed)
{
    return mixed(seed + 0x9e3779b9u);
}

uint32_t MAC(uint32_t key, uint32_t first, uint32_t second)
{
    return mixed(mixed(mixed(key) ^ first) + second);
}
