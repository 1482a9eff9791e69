/* The loop of the paper on fitness-guided exploration: x is 90, and every element
 * that is 15 adds one; 110 is the target.
 *
 *     everypath run published.c --search fitness --max-errors 1
 */
#include <assert.h>
#include <everypath.h>

enum { LENGTH = 60 };

int main(void) {
    int x, y[LENGTH];
    ep_symbolic(&x, sizeof x, "x");
    ep_symbolic(y, sizeof y, "y");
    if (x == 90) {
        for (int i = 0; i < LENGTH; i++)
            if (y[i] == 15)
                x++;
        assert(x != 110);
    }
    return 0;
}
