/* Streams in memory and on standard output; numbers as text and back. */
#include <everypath.h>
#include <iomanip>
#include <iostream>
#include <sstream>

int main() {
    unsigned char x;
    ep_symbolic(&x, sizeof x, "x");
    ep_assume(x >= 98 && x <= 101);
    std::ostringstream out;
    out << std::hex << std::showbase << static_cast<int>(x) << ' ' << std::setw(5)
        << std::setfill('.') << std::dec << 42 << ' ' << 1.5;
    std::istringstream in(out.str());
    int number;
    std::string dots;
    double half;
    in >> std::setbase(16) >> number >> dots >> std::setbase(10) >> half;
    ep_assert(in && number == x && dots == "...42" && half == 1.5);
    std::cout << "done" << std::endl;
    return x > 99;
}
