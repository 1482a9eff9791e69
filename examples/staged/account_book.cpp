// A book of accounts, as a class that keeps its fields to itself.
//
//     everypath stage build examples/staged/account_book.cpp
//         --object AccountBook --invariant AccountBook::repOk --max Account=3 -o book.stage
//     everypath stage run examples/staged/account_book.cpp
//         --method AccountBook::transfer --input book.stage
#include "lib/visited.h"

class AccountBook {
public:
    AccountBook() = default;
    AccountBook(const AccountBook &) = delete;
    AccountBook &operator=(const AccountBook &) = delete;
    ~AccountBook();

    // The accounts are in ascending order of their numbers, none is overdrawn or
    // above the limit, and the total is what they hold together.
    bool repOk() const;

    // False when there is an account of that number.
    bool open(int number);

    // False when there is no such account, or it is not empty.
    bool close(int number);

    // False when there is no such account, or the amount is negative or too much.
    bool deposit(int number, int amount);

    // False when one of the accounts is missing, or the amount is negative, not
    // there, or too much.
    bool transfer(int from, int to, int amount);

private:
    struct Account {
        int number;
        int balance;
        Account *next;
    };

    static constexpr int limit = 1000000;

    Account **find(int number);

    Account *first = nullptr;
    int count = 0;
    long long total = 0;
};

AccountBook::~AccountBook() {
    while (first != nullptr) {
        Account *closed = first;
        first = closed->next;
        delete closed;
    }
}

bool AccountBook::repOk() const {
    Visited visited;
    visited.count = 0;
    bool sound = true;
    long long sum = 0;
    const Account *previous = nullptr;
    for (const Account *account = first; account != nullptr; account = account->next) {
        if (!visit(&visited, account))
            return false;
        if (previous != nullptr)
            sound &= previous->number < account->number;
        sound &= 0 <= account->balance;
        sound &= account->balance <= limit;
        sum += account->balance;
        previous = account;
    }
    return (count == visited.count) & (total == sum) & sound;
}

// Where the account of that number hangs, or would.
AccountBook::Account **AccountBook::find(int number) {
    Account **place = &first;
    while (*place != nullptr && (*place)->number < number)
        place = &(*place)->next;
    return place;
}

bool AccountBook::open(int number) {
    Account **place = find(number);
    if (*place != nullptr && (*place)->number == number)
        return false;
    *place = new Account{number, 0, *place};
    count++;
    return true;
}

bool AccountBook::close(int number) {
    Account **place = find(number);
    Account *closed = *place;
    if (closed == nullptr || closed->number != number || closed->balance != 0)
        return false;
    *place = closed->next;
    delete closed;
    count--;
    return true;
}

bool AccountBook::deposit(int number, int amount) {
    Account *account = *find(number);
    if (account == nullptr || account->number != number)
        return false;
    if (amount < 0 || amount > limit - account->balance)
        return false;
    account->balance += amount;
    total += amount;
    return true;
}

bool AccountBook::transfer(int from, int to, int amount) {
    Account *source = *find(from), *target = *find(to);
    if (source == nullptr || source->number != from || target == nullptr || target->number != to)
        return false;
    if (amount < 0 || amount > source->balance || amount > limit - target->balance)
        return false;
    source->balance -= amount;
    target->balance += amount;
    return true;
}
