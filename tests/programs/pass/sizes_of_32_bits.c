// A file that was preprocessed for a system of 32 bits says that sizes have as many.
extern void *malloc(unsigned int size);
extern void *calloc(unsigned int count, unsigned int size);
extern void *realloc(void *object, unsigned int size);
extern void free(void *object);
extern void *memset(void *to, int byte, unsigned int size);
extern unsigned int __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int condition);

int main(void) {
    unsigned int size = __VERIFIER_nondet_uint();
    __VERIFIER_assume(size > 0 && size < 4);
    char *text = malloc(size);
    memset(text, 'a', size);
    text = realloc(text, size + 1);
    char *zeros = calloc(size, 2);
    int sum = text[size - 1] + zeros[2 * size - 1];
    free(text);
    free(zeros);
    return sum == 'a' ? 0 : 1;
}
