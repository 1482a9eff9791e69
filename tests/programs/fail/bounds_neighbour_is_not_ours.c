/* Far outside its array an index meets other objects, and is wrong there too. */
#include "everypath.h"

int before[4], middle[4], after[4];

int main(void) {
    long i;
    ep_symbolic(&i, sizeof i, "i");
    before[0] = after[0] = 1;
    return middle[i]; // error: out-of-bounds-read
}
