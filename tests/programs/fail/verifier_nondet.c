extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    unsigned char c = __VERIFIER_nondet_uchar();
    __VERIFIER_assume(x > c);
    if (__VERIFIER_nondet_bool())
        return 1;
    if (x == c + 1 && c == 200)
        reach_error(); // error: assert
    return 0;
}
