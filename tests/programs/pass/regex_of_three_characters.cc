#include <everypath.h>
#include <regex>

int main() {
    char text[4];
    ep_symbolic(text, 3, "text");
    text[3] = 0;
    for (int i = 0; i < 3; i++)
        ep_assume(text[i] >= 'a' && text[i] <= 'c');
    std::regex pattern("a(b*)c");
    std::cmatch match;
    if (!std::regex_match(text, match, pattern))
        return 1;
    ep_assert(match[1].length() == 1);
    return 0;
}
