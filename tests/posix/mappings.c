// run: --sym-files 1 2
#include <sys/mman.h>
#include "calls.h"

/* Memory of the system's and of files, private and shared. */
int main(void) {
    char *memory = (char *)CALL(mmap, 0, 5000, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    printf("zero %d\n", memory[4999]);
    memory[4096] = 7;
    memory = (char *)CALL(mremap, memory, 8192, 40960, 1);
    printf("kept %d %d\n", memory[4096], memory[40000]);
    printf("gone %ld\n", CALL(munmap, memory, 40960));
    int file = opened("A", O_RDWR);
    long size = CALL(lseek, file, 0, SEEK_END);
    CALL(ftruncate, file, 3);
    char *shared = (char *)CALL(mmap, 0, 3, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    char *own = (char *)CALL(mmap, 0, 3, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
    own[0] = 'o';
    shared[2] = 's';
    char bytes[3];
    CALL(pread64, file, bytes, 3, 0);
    printf("%ld bytes, %s, then %c\n", size, bytes[0] == 'x' ? "x first" : "not x", bytes[2]);
    CALL(pwrite64, file, "w", 1, 1);
    printf("seen %c\n", shared[1]);
    printf("unmapped %ld\n", CALL(munmap, shared, 3));
    printf("no kind %ld\n", CALL(mmap, 0, 3, PROT_READ, 0, file, 0));
    printf("nothing %ld\n", CALL(mmap, 0, 0, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    return 0;
}
