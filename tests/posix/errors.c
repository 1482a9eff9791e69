#include <sys/stat.h>
#include "calls.h"

#define SHOW(call) printf(#call ": %ld\n", (long)(call))

/* What does not work, and why. */
int main(void) {
    char buffer[32];
    SHOW(opened("none", O_RDONLY));
    SHOW(opened("", O_RDONLY));
    SHOW(opened("none/below", O_RDONLY | O_CREAT));
    SHOW(CALL(mkdir, "d", 0755));
    SHOW(CALL(mkdir, "d", 0755));
    SHOW(opened("d", O_WRONLY));
    SHOW(CALL(unlink, "d"));
    SHOW(opened("f", O_CREAT | O_WRONLY) > 2);
    SHOW(opened("f", O_CREAT | O_EXCL | O_WRONLY));
    SHOW(opened("f/", O_RDONLY));
    SHOW(opened("f", O_RDONLY | O_DIRECTORY));
    SHOW(CALL(rmdir, "f"));
    SHOW(CALL(mkdir, "d/e", 0755));
    SHOW(CALL(rmdir, "d"));
    SHOW(CALL(rename, "d", "d/e/x"));
    SHOW(CALL(rename, "f", "d"));
    SHOW(CALL(rename, "d", "f"));
    SHOW(CALL(rename, "none", "f"));
    SHOW(CALL(rmdir, "d/."));
    SHOW(CALL(close, 99));
    SHOW(CALL(read, 99, buffer, 1));
    SHOW(CALL(write, 0, buffer, 1));
    SHOW(CALL(read, 1, buffer, 1));
    SHOW(CALL(dup2, 1, -1));
    SHOW(CALL(dup2, 99, 1));
    SHOW(CALL(dup3, 1, 1, 0));
    SHOW(CALL(fcntl, 1, 9999, 0));
    SHOW(CALL(symlink, "loop", "loop"));
    SHOW(opened("loop", O_RDONLY));
    SHOW(CALL(readlink, "f", buffer, 9));
    SHOW(CALL(access, "f", 8));
    SHOW(CALL(chdir, "f"));
    SHOW(CALL(truncate, "d", 0));
    SHOW(CALL(getcwd, buffer, 1));
    SHOW(CALL(ioctl, 1, 0x5413, buffer));
    SHOW(CALL(fchdir, 1));
    SHOW(CALL(lseek, 99, 0, 0));
    SHOW(CALL(pipe2, buffer, 1));
    SHOW(CALL(kill, 0, 999));
    return 0;
}
