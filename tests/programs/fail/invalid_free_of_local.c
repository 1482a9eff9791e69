#include <stdlib.h>

int main(void) {
    int local = 1;
    int *volatile p = &local;
    free(p); // error: invalid-free
    return 0;
}
