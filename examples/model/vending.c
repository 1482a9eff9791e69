/* Change for vending.iosts. */

#include <stdint.h>

int64_t COINS(int64_t sum)
{
    static const int64_t values[] = {50, 20, 10, 5};
    int64_t coins = 0;
    for (int i = 0; i < 4; i++) {
        coins += sum / values[i];
        sum %= values[i];
    }
    return coins;
}
