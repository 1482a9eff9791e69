static int forever(int n) {
    return forever(n + 1) + 1; // error: stack-overflow
}

int main(void) { return forever(0); }
