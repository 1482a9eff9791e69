/* The cash machine of atm.iosts. With MUTANT it gives one try too many. */

#include "lines.h"

#ifdef MUTANT
enum { TRIES = 4 };
#else
enum { TRIES = 3 };
#endif

static long long balance = 300, today;

static void serve(void)
{
    struct message message;
    while (receive(&message) && !is(&message, "quit")) {
        long long amount = message.number[0];
        if (amount % 10 != 0)
            emit("denied", "\"multiple\"");
        else if (today + amount > 500)
            emit("denied", "\"limit\"");
        else if (amount > balance)
            emit("denied", "\"funds\"");
        else {
            today += amount;
            balance -= amount;
            emit("cash", "%lld", amount);
        }
    }
    emit("eject", "");
}

int main(void)
{
    struct message message;
    while (receive(&message)) {
        if (!is(&message, "insert"))
            continue;
        emit("ask", "");
        for (int left = TRIES - 1; receive(&message); left--) {
            if (message.number[0] == 1234) {
                emit("accepted", "");
                serve();
                break;
            }
            if (left == 0) {
                emit("swallowed", "");
                break;
            }
            emit("refused", "%d", left);
        }
    }
}
