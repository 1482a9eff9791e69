// What the pages call program.c: it calls a function of a library.
#include <everypath.h>

int delicate(int value);

int main(void) {
    int value;
    ep_symbolic(&value, sizeof value, "value");
    ep_assume(value >= 0 && value < 10);
    return delicate(value) > 4;
}
