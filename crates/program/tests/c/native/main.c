// Prints what the program beside it computes, for comparison.
#include <stdio.h>
unsigned long long run(void);
int main(void) { printf("%llu\n", run()); return 0; }
