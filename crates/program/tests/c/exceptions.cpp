// C++ that throws and uses the library; it is loaded, not run.
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

struct Failure : std::runtime_error { using std::runtime_error::runtime_error; int code = 3; };
struct Guard { int &depth; explicit Guard(int &d) : depth(d) { ++depth; } ~Guard() { --depth; } };

static int attempt(int x, int &depth) {
    Guard guard(depth);
    if (x < 0) throw Failure("negative");
    if (x == 0) throw 42;
    return x;
}

int total(const std::vector<int> &values) {
    int depth = 0, sum = 0;
    std::map<std::string, std::unique_ptr<int>> seen;
    std::function<int(int)> twice = [&sum](int x) { return 2 * x + sum; };
    for (int value : values) {
        try {
            sum += twice(attempt(value, depth));
            seen["fine"] = std::make_unique<int>(value);
        } catch (const Failure &failure) {
            sum -= failure.code;
        } catch (int number) {
            sum += number;
        } catch (...) {
            throw;
        }
    }
    return sum + depth + static_cast<int>(seen.size());
}

int main(int argc, char **) { return total(std::vector<int>(argc, argc)); }
