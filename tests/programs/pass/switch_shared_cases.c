/* Cases that lead to one place are one path. */
#include "everypath.h"

int main(void) {
    char c;
    ep_symbolic(&c, sizeof c, "c");
    switch (c) {
    case 'a':
    case 'e':
    case 'i':
    case 'o':
    case 'u':
        return 1;
    case ' ':
        return 2;
    }
    return 0;
}
