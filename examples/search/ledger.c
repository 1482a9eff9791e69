/* A ledger: entries of a kind and an amount, and a report over them.
 *
 *     everypath run ledger.c --look-ahead
 *
 * Every branch is covered after a few paths, but there are as many paths as ways
 * to fill the ledger. Looking ahead stops where nothing new can come. */
#include <everypath.h>

enum { ENTRIES = 4 };

static int balance, largest;

static void enter(unsigned char kind, unsigned char amount) {
    switch (kind) {
    case 0:
        balance += amount;
        break;
    case 1:
        balance -= amount;
        break;
    case 2:
        balance = 0;
        break;
    default:
        return;
    }
    if (amount > largest)
        largest = amount;
}

static int report(void) {
    if (balance < 0)
        return 1;
    if (largest > 200)
        return 2;
    return 0;
}

int main(void) {
    unsigned char kinds[ENTRIES], amounts[ENTRIES];
    ep_symbolic(kinds, sizeof kinds, "kinds");
    ep_symbolic(amounts, sizeof amounts, "amounts");
    for (int i = 0; i < ENTRIES; i++)
        enter(kinds[i], amounts[i]);
    return report();
}
