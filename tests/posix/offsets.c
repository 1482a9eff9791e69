// run: --sym-files 1 2
#include <sys/uio.h>
#include "calls.h"

/* Offsets, ends, holes, appending, sharing by duplicates. */
int main(void) {
    char bytes[16] = {0};
    int file = opened("A", O_RDWR);
    printf("end %ld\n", CALL(lseek, file, 0, SEEK_END));
    printf("written %ld\n", CALL(write, file, "xyz", 3));
    printf("at %ld\n", CALL(lseek, file, -2, SEEK_CUR));
    int copy = (int)CALL(dup, file);
    printf("read %ld\n", CALL(read, copy, bytes, 1));
    printf("at %ld %c\n", CALL(lseek, file, 0, SEEK_CUR), bytes[0]);
    printf("before the start %ld\n", CALL(lseek, file, -9, SEEK_SET));
    printf("no such way %ld\n", CALL(lseek, file, 0, 77));
    int hole = opened("hole", O_RDWR | O_CREAT);
    printf("past the end %ld\n", CALL(pwrite64, hole, "h", 1, 3));
    printf("all %ld\n", CALL(pread64, hole, bytes, 9, 0));
    printf("%d %d %d %c\n", bytes[0], bytes[1], bytes[2], bytes[3]);
    printf("cut %ld\n", CALL(ftruncate, hole, 1));
    printf("grown %ld\n", CALL(ftruncate, hole, 2));
    printf("end %ld\n", CALL(lseek, hole, 0, SEEK_END));
    int more = opened("hole", O_WRONLY | O_APPEND);
    printf("appended %ld\n", wrote(more, "abc"));
    struct iovec parts[2] = {{bytes, 2}, {bytes + 4, 8}};
    CALL(lseek, hole, 0, SEEK_SET);
    printf("in parts %ld\n", CALL(readv, hole, parts, 2));
    printf("%.3s\n", bytes + 4);
    return 0;
}
