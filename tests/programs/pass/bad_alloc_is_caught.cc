/* What is too large throws, or is null where the program asked for that. */
#include <everypath.h>
#include <new>
#include <vector>

int main() {
    bool nothrow;
    ep_symbolic(&nothrow, sizeof nothrow, "nothrow");
    volatile std::size_t huge = std::size_t(1) << 40;
    if (nothrow)
        return new (std::nothrow) char[huge] == nullptr ? 0 : 9;
    try {
        delete[] new char[huge];
    } catch (const std::bad_alloc &) {
        try {
            std::vector<int>().reserve(huge << 30);
        } catch (const std::length_error &) {
            return 1;
        }
    }
    return 9;
}
