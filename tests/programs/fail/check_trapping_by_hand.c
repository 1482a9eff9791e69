// run: --cc-arg=-fsanitize=undefined --cc-arg=-fsanitize-trap=all
// Traps have the number of the check that failed.
#include <everypath.h>
int main(void) {
    int x, values[3] = {1, 2, 3};
    ep_symbolic(&x, sizeof x, "x");
    if (x > 2147483000)
        return x + 1000 > 0; // error: signed-overflow
    if (x >= 0 && x < 10)
        return values[x]; // error: index-out-of-bounds
    return 0;
}
