#include "everypath.h"

int main(void) {
    unsigned char bits;
    ep_symbolic(&bits, sizeof bits, "bits");
    int seen = 0;
    for (int i = 0; i < 3; i++) {
        if (!(bits >> i & 1))
            continue;
        seen++;
        if (seen == 2)
            break;
    }
    return seen;
}
