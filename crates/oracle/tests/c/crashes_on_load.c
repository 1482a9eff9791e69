// A library whose initialisation does not end well.

#include <stdlib.h>

__attribute__((constructor)) static void start(void) { abort(); }
