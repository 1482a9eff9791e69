// The library of program.c, which crashes for one number.
int delicate(int value) { return value == 7 ? *(volatile int *)1 : value; }
