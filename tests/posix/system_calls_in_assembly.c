// run: --sym-stdin 1
#include <errno.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/mman.h>
#include <fcntl.h>

static long call(long number, long a, long b, long c, long d, long e, long f) {
    long result;
    register long r10 __asm__("r10") = d;
    register long r8 __asm__("r8") = e;
    register long r9 __asm__("r9") = f;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    return result;
}

/* The system without the C library, as small libraries of their own enter it. */
int main(void) {
    char byte = 0;
    char *pages = (char *)call(SYS_mmap, 0, 8192, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    pages[8191] = 'x';
    printf("mapped %c, unmapped %ld\n", pages[8191], call(SYS_munmap, (long)pages, 8192, 0, 0, 0, 0));
    printf("absent %ld\n", call(SYS_open, (long)"absent", O_RDONLY, 0, 0, 0, 0));
    fflush(stdout);
    long count = call(SYS_read, 0, (long)&byte, 1, 0, 0, 0);
    call(SYS_write, 1, (long)(count == 1 && byte == 'q' ? "yes\n" : "no\n"), 3, 0, 0, 0);
    call(SYS_exit_group, count ? 3 : 4, 0, 0, 0, 0, 0);
    return 0;
}
