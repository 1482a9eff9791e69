#include <stdatomic.h>
#include "everypath.h"

static atomic_int counter = 5;

int main(void) {
    ep_assert(atomic_fetch_add(&counter, 3) == 5);
    int expected = 8;
    ep_assert(atomic_compare_exchange_strong(&counter, &expected, 20));
    ep_assert(!atomic_compare_exchange_strong(&counter, &expected, 30) && expected == 20);
    return atomic_load(&counter);
}
