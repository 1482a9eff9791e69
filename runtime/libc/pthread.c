/* pthread.h: what the first thread is told of its own stack. Everything else is musl's. */
#include "internal.h"

/* The stack is the machine's and at no address; where it would be, nothing else is. */
enum { STACK_SIZE = 8 << 20, GUARD_SIZE = 4096, ATTRIBUTES = 7 };
static const unsigned long stack_end = 1UL << 60;

/* Attributes as musl lays them out: size, guard, and where the stack begins to grow. */
int pthread_getattr_np(unsigned long thread, unsigned long *attributes) {
    (void)thread;
    memset(attributes, 0, ATTRIBUTES * sizeof *attributes);
    attributes[0] = STACK_SIZE;
    attributes[1] = GUARD_SIZE;
    attributes[2] = stack_end;
    return 0;
}
