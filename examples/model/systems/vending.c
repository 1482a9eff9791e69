/* The machine of vending.iosts. With MUTANT it keeps the change of a sale. */

#include "../vending.c"
#include "lines.h"

int main(void)
{
    long long price[] = {50, 65, 80}, stock[] = {2, 1, 0}, paid = 0;
    struct message message;
    while (receive(&message)) {
        if (is(&message, "coin")) {
            paid += message.number[0];
            emit("credit", "%lld", paid);
            continue;
        }
        if (is(&message, "choose")) {
            long long slot = message.number[0];
            if (stock[slot] == 0) {
                emit("sold_out", "%lld", slot);
                continue;
            }
            if (paid < price[slot]) {
                emit("more", "%lld", price[slot] - paid);
                continue;
            }
            emit("vend", "{\"slot\": %lld, \"price\": %lld}", slot, price[slot]);
            paid -= price[slot];
            stock[slot]--;
#ifdef MUTANT
            paid = 0;
#endif
        }
        if (paid > 0)
            emit("change", "%lld, %lld", paid, (long long)COINS(paid));
        paid = 0;
    }
}
