// run: --sym-stdin 1
#include "calls.h"

/* Files that are none. */
int main(void) {
    char bytes[4] = "abc", again = '-';
    int null = opened("/dev/null", O_RDWR), zero = opened("/dev/zero", O_RDONLY);
    printf("null %ld %ld\n", CALL(read, null, bytes, 4), wrote(null, "gone"));
    printf("zero %ld %d\n", CALL(read, zero, bytes, 2), bytes[1]);
    printf("full %ld\n", wrote(opened("/dev/full", O_WRONLY), "x"));
    int output = opened("/dev/stdout", O_WRONLY | O_APPEND);
    wrote(output, "by its name\n");
    printf("read %ld\n", CALL(read, 0, bytes, 4));
    CALL(lseek, 0, 0, SEEK_SET);
    CALL(read, 0, &again, 1);
    printf("%s\n", again == 'q' ? "q" : again == '-' ? "nothing or -" : "other");
    // Tests run side by side, and there is one /tmp for all.
    char name[64];
    snprintf(name, sizeof name, "/tmp/everypath-devices-%ld", CALL(getpid));
    int temporary = opened(name, O_RDWR | O_CREAT);
    printf("temporary %ld\n", wrote(temporary, "t"));
    printf("gone %ld\n", CALL(unlink, name));
    return 0;
}
