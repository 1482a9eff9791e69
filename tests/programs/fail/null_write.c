int main(void) {
    int *volatile p = 0;
    *p = 1; // error: null-dereference
    return 0;
}
