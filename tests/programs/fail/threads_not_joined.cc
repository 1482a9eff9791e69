#include <thread>

int main() {
    std::thread other([] {});
}
