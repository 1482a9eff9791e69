// run: --uninitialised
/* Whether a local was written to depends on the input; padding, bit-fields and
 * copies of what was not written to are no errors. */
#include <everypath.h>
#include <stdlib.h>

struct mixed {
    int low : 3;
    int high : 5;
    char letter;
    int number;
};

int main(void) {
    char key;
    int value;
    ep_symbolic(&key, sizeof key, "key");
    struct mixed first, second;
    first.low = 1;
    first.high = 2;
    first.letter = 3;
    first.number = 4;
    second = first;
    if (second.low != 1 || second.high != 2)
        return 1;
    if (key > 3)
        value = 4;
    int copy = value;
    if (copy == 4)
        return 2;
    return 3;
}
