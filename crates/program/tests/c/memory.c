// Arrays, strings, variable-length arrays, copying, variadic functions, static data.
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

struct node { int key; struct node *left, *right; };
struct blob { char text[20]; };

static struct node pool[64];
static int used;
static const char *const words[] = { "alpha", "beta", "", "gamma delta" };
static char buffer[] = "mutable text";
static int matrix[3][4] = { { 1, 2, 3, 4 }, { 5 }, { [2] = 9 } };
static int *into_matrix = &matrix[1][2];
static _Thread_local int per_thread = 5;
extern int weak_one __attribute__((weak));
int weak_one = 11;

static struct node *insert(struct node *tree, int key) {
    if (!tree) { struct node *n = &pool[used++]; n->key = key; return n; }
    if (key < tree->key) tree->left = insert(tree->left, key);
    else tree->right = insert(tree->right, key);
    return tree;
}
static uint64_t walk(const struct node *tree, uint64_t h) {
    return tree ? walk(tree->right, walk(tree->left, h) * 31 + (uint64_t)tree->key) : h;
}
static size_t length(const char *s) { const char *p = s; while (*p) p++; return (size_t)(p - s); }

static int64_t total(const char *kinds, ...) {
    va_list list, copy;
    int64_t sum = 0;
    va_start(list, kinds);
    va_copy(copy, list);
    for (const char *k = kinds; *k; k++)
        switch (*k) {
        case 'i': sum = sum * 3 + va_arg(list, int); break;
        case 'l': sum = sum * 3 + va_arg(list, long long); break;
        case 'd': sum = sum * 3 + (int64_t)(va_arg(list, double) * 4); break;
        case 's': sum = sum * 3 + (int64_t)length(va_arg(list, const char *)); break;
        case 'b': { struct blob b = va_arg(list, struct blob); sum = sum * 3 + b.text[2]; break; }
        }
    sum += va_arg(copy, int);
    va_end(copy);
    va_end(list);
    return sum;
}

static uint64_t triangle(int n) {
    int rows[n][n];
    uint64_t sum = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) rows[i][j] = i < j ? 0 : i * j + 1;
    for (int i = 0; i < n; i++) {
        char line[i + 1];
        memset(line, i, sizeof line);
        sum = sum * 7 + (uint64_t)rows[n - 1][i] + line[i] + sizeof line;
    }
    return sum;
}

static void sort(int *values, int n) {
    for (int i = 1; i < n; i++)
        for (int j = i; j > 0 && values[j - 1] > values[j]; j--) {
            int t = values[j]; values[j] = values[j - 1]; values[j - 1] = t;
        }
}

unsigned long long run(void) {
    uint64_t result = 0;
    struct node *tree = 0;
    for (int i = 0; i < 40; i++) tree = insert(tree, i * 37 % 41);
    result = walk(tree, result);
    for (int i = 0; i < 4; i++) result = result * 31 + length(words[i]) + (unsigned char)words[i][0];
    struct blob b = { "blob" }, c;
    memcpy(&c, &b, sizeof c);
    memmove(buffer + 2, buffer, 5);
    result = result * 31 + (uint64_t)total("ildsbi", 1, 2ll << 40, 2.5, "four", c, -6);
    result = result * 31 + triangle(6) + (uint64_t)buffer[3] + (uint64_t)*into_matrix + (uint64_t)matrix[2][2];
    into_matrix[2] = 77;
    per_thread += weak_one;
    result = result * 31 + (uint64_t)matrix[2][0] + (uint64_t)per_thread;
    int values[] = { 5, -3, 9, 0, 22, -17, 4 };
    sort(values, 7);
    for (int i = 0; i < 7; i++) result = result * 31 + (uint32_t)values[i];
    int zeroed[100] = { 0 };
    zeroed[values[3]] = 3;
    for (int i = 0; i < 100; i++) result = result * 3 + (uint64_t)zeroed[i];
    return result;
}
