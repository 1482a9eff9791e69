/* How many real roots a quadratic has, and on which sides of zero they lie. Every
 * comparison is of floats, and none of the assertions may ever fail. */
#include <everypath.h>
#include <math.h>

enum kind { NOTHING, EVERYTHING, LINEAR, NO_ROOT, DOUBLE_ROOT, SAME_SIGN, BOTH_SIGNS, AT_ZERO };

static float any_between(float low, float high, const char *name) {
    float value;
    ep_symbolic(&value, sizeof value, name);
    ep_assume((value >= low) & (value <= high));
    return value;
}

static enum kind classify(float a, float b, float c) {
    if (a == 0) {
        if (b != 0)
            return LINEAR;
        if (c == 0)
            return EVERYTHING;
        return NOTHING;
    }
    float square = b * b, product = 4 * a * c;
    float discriminant = square - product;
    if (discriminant < 0) {
        ep_assert(product > 0);
        return NO_ROOT;
    }
    if (discriminant == 0) {
        ep_assert(square == product);
        return DOUBLE_ROOT;
    }
    float root = sqrtf(discriminant);
    ep_assert(root > 0);
    if (product < 0)
        return BOTH_SIGNS;
    if (product > 0) {
        ep_assert(b != 0);
        return SAME_SIGN;
    }
    return AT_ZERO;
}

int main(void) {
    float a = any_between(-100, 100, "a");
    float b = any_between(-100, 100, "b");
    float c = any_between(-100, 100, "c");
    return classify(a, b, c);
}
