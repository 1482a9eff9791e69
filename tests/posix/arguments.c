// run: --sym-arg 1 --sym-args 1 2 1 -- mid --sym-arg 1 last
#include "calls.h"

/* Symbolic arguments in their places among the others. */
int main(int argc, char **argv) {
    printf("%d\n", argc);
    if (strcmp(argv[argc - 1], "last") != 0 || argv[argc])
        return 1;
    if (strcmp(argv[argc - 3], "mid") != 0)
        return 2;
    int letters = 0;
    for (int i = 1; i < argc; i++)
        letters += argv[i][0] == 'a';
    return 10 + letters;
}
