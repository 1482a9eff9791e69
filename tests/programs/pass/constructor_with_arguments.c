/* What runs before main gets the arguments of main, as glibc has it. */
#include <stdlib.h>
#include <string.h>

static int seen;
static const char *name;

__attribute__((constructor)) static void early(int argc, char **argv) {
    seen = argc;
    name = argv[0];
}

int main(int argc, char **argv) {
    if (seen != argc || strcmp(name, argv[0]) != 0)
        abort();
    return 0;
}
