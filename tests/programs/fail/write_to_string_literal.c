int main(void) {
    char *volatile s = "constant";
    s[0] = 'C'; // error: write-to-constant
    return 0;
}
