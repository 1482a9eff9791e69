#include "everypath.h"

struct entry {
    const char *name;
    const int *value;
    struct entry *next;
};

static const int one = 1, two = 2;
static struct entry second = {"two", &two, 0}, first = {"one", &one, &second};
static const char *const middle = &"abcdef"[3];

int main(void) {
    ep_assert(first.next->next == 0 && *first.next->value + *first.value == 3);
    ep_assert(first.next->name[1] == 'w' && middle[0] == 'd' && middle[-1] == 'c');
    return 0;
}
