// run: --check ub --uninitialised --leaks
/* The same programs, where all that can be asked for is. */
#include <everypath.h>
#include <stdlib.h>
#include <string.h>

struct record {
    int pair[2];
    int after;
};

int main(void) {
    unsigned char choice;
    ep_symbolic(&choice, 1, "choice");
    ep_assume(choice < 8);
    int unset[2];
    volatile int most = 2147483647, minus = -1, two = 2;
    volatile double huge = 1e30;
    struct record record = {{1, 2}, 3};
    _Alignas(4) char bytes[8] = {0};
    int *volatile odd = (int *)(bytes + 1);
    switch (choice) {
    case 0: return most + 1 < 0 ? 0 : 1; // error: signed-overflow
    case 1: return minus << 1 == -2 ? 0 : 1; // error: shift
    case 2: return record.pair[two] == 3 ? 0 : 1; // error: index-out-of-bounds
    case 3: return (int)huge == 0 ? 0 : 1; // error: float-cast
    case 4: return *odd; // error: misaligned
    case 5: { volatile char array[minus]; return array[0]; } // error: vla-bound
    case 6: if (unset[1]) return 1; // error: uninitialised
        break;
    case 7: return malloc(4) == NULL;
    }
    return 0;
} // error: leak
