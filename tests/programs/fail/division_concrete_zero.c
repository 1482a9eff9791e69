int main(void) {
    volatile int zero = 0;
    return 5 / zero; // error: division
}
