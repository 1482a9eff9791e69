/* What the C library hands on to the system it may not have been given. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
    if (fcntl(1, F_GETFL) < 0 || fcntl(1, F_GETFD) != 0)
        return 1;
    if (syscall(SYS_getpid) != getpid())
        return 2;
    if (prctl(PR_GET_DUMPABLE) < 0)
        return 3;
    ioctl(1, FIOCLEX);
    if (fcntl(1, F_GETFD) != FD_CLOEXEC)
        return 4;
    DIR *directory = fdopendir(open(".", O_RDONLY));
    if (directory == NULL || readdir(directory) == NULL)
        return 5;
    return wait(NULL) == -1 && errno == ECHILD ? 0 : 6;
}
