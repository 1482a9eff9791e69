/* Operations of a string whose characters are symbolic and whose length is not do not fork
 * but where they have to. */
#include <everypath.h>
#include <string>

int main() {
    char text[4];
    ep_symbolic(text, sizeof text, "text");
    std::string string(text, 4);
    std::string longer = string + " and more than fits into a short string";
    ep_assert(longer.size() == 43 && longer[2] == text[2]);
    longer.erase(4);
    std::string copy = longer;
    copy += 'x';
    ep_assert(longer.length() == 4 && copy.back() == 'x');
    if (longer == "abcd")
        return 1;
    return string.find('z') == std::string::npos ? 0 : 2;
}
