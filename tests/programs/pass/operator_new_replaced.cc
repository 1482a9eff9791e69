/* A program's own operator new is used for arrays too. */
#include <cstdlib>
#include <everypath.h>
#include <new>

static int allocations;
void *operator new(std::size_t size) {
    allocations++;
    return std::malloc(size);
}
void operator delete(void *memory) noexcept {
    allocations--;
    std::free(memory);
}

int main() {
    unsigned char size;
    ep_symbolic(&size, sizeof size, "size");
    ep_assume(size == 1 || size == 2);
    int *one = new int, *many = new int[size], *maybe = new (std::nothrow) int;
    ep_assert(allocations == 3);
    delete one;
    delete[] many;
    delete maybe;
    return allocations;
}
