int main(void) {
    int data = 3;
    int (*volatile f)(void) = (int (*)(void))&data;
    return f(); // error: bad-call
}
