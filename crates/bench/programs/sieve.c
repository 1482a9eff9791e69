/* The primes below two million, by Eratosthenes' sieve: concrete. */
#include <stdlib.h>

enum { LIMIT = 2000000 };

static unsigned char composite[LIMIT];

int main(void) {
    int primes = 0;
    for (int i = 2; i < LIMIT; i++) {
        if (composite[i])
            continue;
        primes++;
        for (long j = (long)i * i; j < LIMIT; j += i)
            composite[j] = 1;
    }
    return primes == 148933 ? 0 : 1;
}
