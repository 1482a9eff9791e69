int main(void) {
    int (*volatile f)(void) = 0;
    return f(); // error: null-dereference
}
