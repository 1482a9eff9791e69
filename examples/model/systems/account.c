/* The account of account.iosts. With MUTANT a fee is taken for each fourth withdrawal. */

#include "lines.h"

#ifdef MUTANT
enum { EVERY = 4 };
#else
enum { EVERY = 3 };
#endif
enum { OVERDRAFT = 500, LARGE = 100000, FEE = 3 };

static long long sum, waiting, count;

static void deposit(long long amount)
{
    if (amount <= 0) {
        emit("refused", "\"amount\"");
    } else if (amount < LARGE) {
        sum += amount;
        emit("balance", "%lld", sum);
    } else if (waiting > 0) {
        emit("refused", "\"pending\"");
    } else {
        waiting = amount;
        emit("held", "%lld", amount);
    }
}

static void withdraw(long long amount)
{
    if (amount <= 0) {
        emit("refused", "\"amount\"");
    } else if (sum - amount < -OVERDRAFT) {
        emit("refused", "\"funds\"");
    } else {
        sum -= amount;
        if (++count % EVERY == 0)
            sum -= FEE;
        emit("balance", "%lld", sum);
    }
}

int main(void)
{
    struct message message;
    while (receive(&message)) {
        if (is(&message, "deposit")) {
            deposit(message.number[0]);
        } else if (is(&message, "withdraw")) {
            withdraw(message.number[0]);
        } else {
            if (message.flag[0])
                sum += waiting;
            waiting = 0;
            emit("balance", "%lld", sum);
        }
    }
}
