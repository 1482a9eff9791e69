#include <everypath.h>
#include <string>
#include <string_view>

static std::string_view name(bool full) {
    static std::string kept = "kept for as long as the program runs";
    std::string temporary = "a temporary that is longer than fits into the object";
    return full ? std::string_view(temporary) : std::string_view(kept);
}

int main() {
    bool full;
    ep_symbolic(&full, sizeof full, "full");
    return name(full)[0] == 'k' ? 0 : 1;
}
