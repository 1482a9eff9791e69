#include <string.h>
#include "everypath.h"

int main(int argc, char **argv) {
    ep_assert(argc == 1);
    ep_assert(strlen(argv[0]) > 0);
    ep_assert(argv[1] == NULL);
    return 0;
}
