// %n stores how many bytes were made so far, in whatever it points to.
#include <stdio.h>
int main(void) {
    char text[32];
    int first = -1;
    long second = -1;
    signed char third = -1;
    int made = sprintf(text, "ab%n%d%ln-%s%hhn", &first, 1234, &second, "xyz", &third);
    printf("%d %d %ld %d %s\n", made, first, second, third, text);
    return 0;
}
