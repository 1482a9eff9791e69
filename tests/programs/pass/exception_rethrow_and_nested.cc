/* Rethrow, exceptions inside handlers, current_exception, nested exceptions. */
#include <everypath.h>
#include <exception>
#include <stdexcept>
#include <string>

static int rethrown(bool again) {
    try {
        try {
            throw 5;
        } catch (int &value) {
            value = 6;
            if (again)
                throw;
            throw std::runtime_error("other");
        }
    } catch (int value) {
        return value;
    } catch (const std::exception &) {
        return 1;
    }
}

static std::string nested() {
    try {
        try {
            throw std::runtime_error("inner");
        } catch (...) {
            std::throw_with_nested(std::logic_error("outer"));
        }
    } catch (const std::exception &outer) {
        try {
            std::rethrow_if_nested(outer);
        } catch (const std::exception &inner) {
            return std::string(outer.what()) + "/" + inner.what();
        }
    }
    return "";
}

int main() {
    bool again;
    ep_symbolic(&again, sizeof again, "again");
    ep_assume((unsigned char &)again < 2);
    ep_assert(rethrown(again) == (again ? 6 : 1));
    ep_assert(nested() == "outer/inner");
    std::exception_ptr kept;
    try {
        throw 9;
    } catch (...) {
        kept = std::current_exception();
    }
    ep_assert(std::uncaught_exceptions() == 0);
    try {
        std::rethrow_exception(kept);
    } catch (int nine) {
        return nine - 9;
    }
    return 1;
}
