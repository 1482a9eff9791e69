/* Inverts a 3x3 matrix by its adjugate, and looks at the product of the two. Two
 * entries are inputs; none of the assertions may ever fail. */
#include <everypath.h>
#include <math.h>

enum kind { SINGULAR, NEARLY_SINGULAR, EXACT, ROUNDED };
enum { SIZE = 3 };

static float any_between(float low, float high, const char *name) {
    float value;
    ep_symbolic(&value, sizeof value, name);
    ep_assume((value >= low) & (value <= high));
    return value;
}

static float cofactor(float m[SIZE][SIZE], int row, int column) {
    int r = (row + 1) % SIZE, s = (row + 2) % SIZE;
    int c = (column + 1) % SIZE, d = (column + 2) % SIZE;
    return m[r][c] * m[s][d] - m[r][d] * m[s][c];
}

static float determinant(float m[SIZE][SIZE]) {
    float sum = 0;
    for (int column = 0; column < SIZE; column++)
        sum += m[0][column] * cofactor(m, 0, column);
    return sum;
}

/* An entry of the product of the matrix and its inverse. */
static float entry(float m[SIZE][SIZE], float scale, int row, int column) {
    float sum = 0;
    for (int i = 0; i < SIZE; i++)
        sum += m[row][i] * (cofactor(m, column, i) / scale);
    return sum;
}

static enum kind check(float m[SIZE][SIZE]) {
    float scale = determinant(m);
    if (scale == 0)
        return SINGULAR;
    if (fabsf(scale) < 0.25f)
        return NEARLY_SINGULAR;
    for (int i = 0; i < SIZE; i++) {
        float error = entry(m, scale, i, i) - 1;
        ep_assert(fabsf(error) < 0.5f);
        if (error != 0)
            return ROUNDED;
    }
    return EXACT;
}

int main(void) {
    float a = any_between(-2, 2, "a");
    float b = any_between(-2, 2, "b");
    float m[SIZE][SIZE] = {{1, b, 0}, {0, a, 2}, {0, 0, 1}};
    return check(m);
}
