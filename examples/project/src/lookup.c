/* lookup KEY FILE: prints the value of a key. */
#include "settings.h"

#include <string.h>

int main(int argc, char **argv) {
    struct setting setting;
    int found, status = 1;
    if (argc != 3) {
        fprintf(stderr, "usage: lookup KEY FILE\n");
        return 2;
    }
    FILE *file = fopen(argv[2], "r");
    if (!file) {
        perror(argv[2]);
        return 2;
    }
    while ((found = next_setting(file, &setting)) == 1)
        if (strcmp(setting.key, argv[1]) == 0) {
            puts(setting.value);
            status = 0;
        }
    fclose(file);
    return found < 0 ? 3 : status;
}
