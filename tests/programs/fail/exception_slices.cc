/* Caught by value, the exception is only its base: the assertion shows it. */
#include <everypath.h>
#include <stdexcept>

struct Special : std::runtime_error {
    Special() : runtime_error("special") {}
    virtual int code() const { return 7; }
};

static bool is_special(bool by_value) {
    try {
        try {
            throw Special();
        } catch (std::runtime_error error) {
            if (by_value)
                throw error;
            throw;
        }
    } catch (const Special &special) {
        return special.code() == 7;
    } catch (const std::runtime_error &) {
        return false;
    }
}

int main() {
    bool by_value;
    ep_symbolic(&by_value, sizeof by_value, "by_value");
    ep_assert(is_special(by_value));
    return 0;
}
