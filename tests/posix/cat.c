// run: --sym-files 2 2 -- A missing B
#include "calls.h"

int main(int argc, char **argv) {
    int failed = 0;
    for (int i = 1; i < argc; i++) {
        char buffer[64];
        int file = opened(argv[i], O_RDONLY);
        if (file < 0) {
            printf("%s: error %d\n", argv[i], -file);
            failed = 1;
            continue;
        }
        long count;
        while ((count = CALL(read, file, buffer, sizeof buffer)) > 0)
            CALL(write, 1, buffer, count);
        CALL(close, file);
    }
    return failed;
}
