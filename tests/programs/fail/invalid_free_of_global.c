#include <stdlib.h>

static int global;

int main(void) {
    free(&global); // error: invalid-free
    return 0;
}
