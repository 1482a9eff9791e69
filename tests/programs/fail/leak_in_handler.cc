// run: --leaks
#include <everypath.h>

static void work(int x) {
    if (x < 0)
        throw x;
}

int main() {
    int x;
    ep_symbolic(&x, sizeof x, "x");
    int *buffer = new int[4];
    try {
        work(x);
        delete[] buffer;
    } catch (int) {
        return 1;
    }
    return 0;
}
