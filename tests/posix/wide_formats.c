// run: --sym-arg 1
#include "calls.h"
#include <wchar.h>

/* Formats and scans of wide characters give what those of bytes give. */
int main(int argc, char **argv) {
    wchar_t text[16], word[8];
    int number = 0;
    int count = swprintf(text, 16, L"%5d|%-4s|%ls", 42, argv[1][0] == 'a' ? "a" : "bc", L"wide");
    printf("%d %ls\n", count, text);
    printf("%d\n", swprintf(text, 4, L"%d", 12345));
    printf("%d\n", swscanf(L"  -17 word", L"%d %7ls", &number, word));
    printf("%d %ls %zu\n", number, word, wcslen(word));
    return argc == 2 && count == 15 ? 0 : 1;
}
