// Counts a letter in a word: `tool e apple`. Words without one are read from standard input.
#include <stdio.h>
int count(const char *text, char letter);
int main(int argc, char **argv) {
    char line[8] = "";
    const char *text = argc == 3 ? argv[2] : fgets(line, sizeof line, stdin);
    if (argc < 2 || !text)
        return 2;
    return count(text, argv[1][0]) > 1;
}
