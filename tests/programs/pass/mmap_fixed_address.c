// Mappings at addresses of the program's choice, beside each other, over each other and again.
#include <assert.h>
#include <errno.h>
#include <sys/mman.h>
#include <everypath.h>
#define PLACE ((char *)0x500000000000)
#define MAP(at, size, flags)                                                                       \
    mmap(at, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | (flags), -1, 0)
int main(void) {
    unsigned char index;
    ep_symbolic(&index, sizeof index, "index");
    assert(MAP(PLACE, 8192, MAP_FIXED) == PLACE);
    assert(MAP(PLACE + 8192, 4096, MAP_FIXED_NOREPLACE) == PLACE + 8192);
    assert(MAP(PLACE + 4096, 4096, MAP_FIXED_NOREPLACE) == MAP_FAILED && errno == EEXIST);
    assert(MAP(PLACE + 1, 4096, MAP_FIXED) == MAP_FAILED && errno == EINVAL);
    PLACE[4096 + index] = 1;
    PLACE[8192] = 2;
    assert(PLACE[4096 + index] == 1 && PLACE[8191] == 0);
    assert(MAP(PLACE + 4096, 4096, MAP_FIXED) == PLACE + 4096);
    assert(PLACE[4096 + index] == 0 && PLACE[8192] == 2);
    assert(munmap(PLACE + 8192, 4096) == 0);
    assert(MAP(PLACE + 8192, 4096, MAP_FIXED_NOREPLACE) == PLACE + 8192);
    return PLACE[8192];
}
