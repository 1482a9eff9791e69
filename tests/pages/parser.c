// What the pages for users call parser.c: a header such as `k=12`, a letter and its number.
#include <everypath.h>
#include <ctype.h>
#include <stdio.h>

int parse_header(const char *text, int length) {
    int number = 0;
    if (length < 3 || !islower(text[0]) || text[1] != '=')
        return -1;
    for (int i = 2; i < length && text[i] != '\n'; i++) {
        if (!isdigit(text[i]))
            return -1;
        number = number * 10 + text[i] - '0';
    }
    return number;
}

int main(void) {
    char text[4];
    int length = (int)fread(text, 1, sizeof text, stdin);
    if (length == 0)
        ep_symbolic(text, length = sizeof text, "text");
    int header = parse_header(text, length);
    for (int i = 0; i < length; i++)
        if (text[i] == '#')
            return i;
    return header < 0 ? 100 : 0;
}
