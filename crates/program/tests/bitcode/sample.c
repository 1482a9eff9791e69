// What the .bc files in this directory are made of.
struct pair { int first; long second; };
static const char *const names[] = { "zero", "one" };
int counter = 3;
int sum(const struct pair *p, int n) {
    int total = counter;
    for (int i = 0; i < n; i++)
        total += p[i].first * (int)p[i].second;
    return total;
}
unsigned long long run(void) {
    struct pair pairs[2] = { { 1, 2 }, { 3, 4 } };
    return (unsigned long long)sum(pairs, 2) * 100 + (unsigned char)names[1][0];
}
