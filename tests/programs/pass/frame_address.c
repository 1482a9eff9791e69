#include <assert.h>

static void *inner(void) {
    void *frame = __builtin_frame_address(0);
    assert(frame == __builtin_frame_address(0));
    return frame;
}

int main(void) {
    assert(__builtin_frame_address(0) != 0);
    assert(inner() != __builtin_frame_address(0));
    return 0;
}
