/* No input, one path. */
int main(void) {
    int sum = 0;
    for (int i = 1; i <= 100; i++)
        sum += i;
    return sum == 5050 ? 0 : 1;
}
