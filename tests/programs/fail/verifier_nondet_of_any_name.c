// What a function of this kind gives is told by its type where its name is nobody's.
extern short __VERIFIER_nondet_small(void);
extern const char *__VERIFIER_nondet_const_char_pointer(void);
extern void reach_error(void);

int main(void) {
    if (__VERIFIER_nondet_const_char_pointer() && __VERIFIER_nondet_small() == -7)
        reach_error(); // error: assert
    return 0;
}
