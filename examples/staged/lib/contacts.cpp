/* People by name, each with numbers in the order they were added. A name has numbers or is not
   there. */
#include <list>
#include <map>
#include <string>

#ifndef MUTANT
#define MUTANT 0
#endif

class Contacts {
    std::map<std::string, std::list<int>> numbers;
    unsigned all = 0;

  public:
    bool repOk() const {
        unsigned count = 0;
        for (const auto &entry : numbers) {
            if (entry.second.empty())
                return false;
            count += entry.second.size();
        }
        return count == all;
    }

    void add(const std::string &name, int number) {
        numbers[name].push_back(number);
        all++;
    }

    int call(const std::string &name) {
#if MUTANT == 1
        return numbers[name].empty() ? 0 : numbers[name].front();
#else
        auto found = numbers.find(name);
        return found == numbers.end() ? 0 : found->second.front();
#endif
    }

    bool remove(const std::string &name) {
        auto found = numbers.find(name);
        if (found == numbers.end())
            return false;
        found->second.pop_front();
        all--;
#if MUTANT != 2
        if (found->second.empty())
            numbers.erase(found);
#endif
        return true;
    }
};

int use(Contacts &contacts) {
    contacts.add("me", 1);
    return contacts.call("me") + contacts.remove("me") + contacts.repOk();
}
