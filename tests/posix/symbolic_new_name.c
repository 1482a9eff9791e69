// run: --sym-arg 1
#include "calls.h"

/* Makes a file whose name is symbolic, and looks whether it is the one called x. */
int main(int argc, char **argv) {
    int made = opened(argv[1], O_CREAT | O_EXCL | O_WRONLY);
    int found = opened("x", O_RDONLY);
    printf("%d %d\n", made >= 0 ? 0 : made, found >= 0 ? 0 : found);
    return 0;
}
