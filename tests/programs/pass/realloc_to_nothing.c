#include <assert.h>
#include <stdlib.h>

int main(void) {
    char *p = malloc(10);
    assert(realloc(p, 0) == NULL);
    p = realloc(NULL, 0);
    assert(p != NULL);
    free(p);
    return 0;
}
