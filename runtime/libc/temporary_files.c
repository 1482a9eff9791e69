/* The names that glibc has for mkstemp() and its kin where offsets have 64 bits, as they do
 * here anyway. */
#include "internal.h"

int mkstemp(char *name);
int mkostemp(char *name, int flags);
int mkstemps(char *name, int suffix);

int mkstemp64(char *name) {
    return mkstemp(name);
}

int mkostemp64(char *name, int flags) {
    return mkostemp(name, flags);
}

int mkstemps64(char *name, int suffix) {
    return mkstemps(name, suffix);
}
