#include "../../examples/staged/account_book.cpp"
#include "check.h"

int main() {
    AccountBook book;
    CHECK(book.repOk());
    for (int i = 0; i < 400; i++) {
        int one = arbitrary(30), other = arbitrary(30), amount = arbitrary(1000) - 100;
        switch (arbitrary(4)) {
        case 0: book.open(one); break;
        case 1: book.close(one); break;
        case 2: CHECK(!book.deposit(one, amount) || amount >= 0); break;
        case 3: CHECK(!book.transfer(one, other, amount) || amount >= 0); break;
        }
        CHECK(book.repOk());
    }
    AccountBook small;
    CHECK(small.open(1) && !small.open(1) && small.open(2) && small.deposit(1, 1000000));
    CHECK(!small.deposit(1, 1) && small.deposit(2, 5) && !small.transfer(2, 1, 5));
    CHECK(!small.transfer(2, 1, 6) && small.transfer(1, 2, 7) && small.transfer(2, 1, 7));
    CHECK(!small.close(2) && !small.close(3) && !small.transfer(1, 3, 1) && small.repOk());
}
