int main(void) {
    volatile int n = 64;
    volatile long x = -1;
    return (int)(x >> n); // error: shift
}
