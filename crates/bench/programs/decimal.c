/* Reads a decimal number from text, writes it back, and compares the two: a float
 * must keep what the digits say. */
#include <everypath.h>
#include <stdbool.h>

enum { NO_NUMBER = 1, ROUNDED_UP, ROUNDED_DOWN, WHOLE };

static bool is_digit(char c) {
    return (c >= '0') & (c <= '9');
}

/* One digit, a point, one digit. */
static bool is_decimal(const char text[3]) {
    return is_digit(text[0]) & (text[1] == '.') & is_digit(text[2]);
}

static float parse(const char text[3]) {
    float whole = text[0] - '0', tenths = text[2] - '0';
    return whole + tenths / 10;
}

static void print(float value, char text[3]) {
    float whole = (int)value;
    text[0] = '0' + (int)whole;
    text[1] = '.';
    text[2] = '0' + (int)((value - whole) * 10 + 0.5f);
}

int main(void) {
    char text[3], again[3];
    ep_symbolic(text, sizeof text, "text");
    if (!is_decimal(text))
        return NO_NUMBER;
    float value = parse(text);
    print(value, again);
    ep_assert(text[0] == again[0]);
    ep_assert(text[2] == again[2]);
    float nearest = (int)(value + 0.5f);
    if (nearest == value)
        return WHOLE;
    if (nearest > value)
        return ROUNDED_UP;
    return ROUNDED_DOWN;
}
