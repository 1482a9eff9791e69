#include "klee/klee.h"

int main(void) {
    switch (klee_choose(3)) {
    case 0:
        klee_silent_exit(0);
    case 1:
        klee_report_error("here.c", 1, "reported", "user"); // error: abort
    }
    return 0;
}
