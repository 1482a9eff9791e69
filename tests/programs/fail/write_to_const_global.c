static const int limit = 3;

int main(void) {
    *(volatile int *)&limit = 4; // error: write-to-constant
    return limit;
}
