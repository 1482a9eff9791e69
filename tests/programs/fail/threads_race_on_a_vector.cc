#include <thread>
#include <vector>

int main() {
    std::vector<int> list = {1};
    std::thread other([&] { list.push_back(2); });
    list.push_back(3);
    other.join();
}
