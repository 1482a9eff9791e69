/* Ascending values of any type in a vector. */
#include <cstddef>
#include <vector>

#ifndef MUTANT
#define MUTANT 0
#endif

template <typename Value> class Sorted {
    std::vector<Value> values;

  public:
    bool repOk() const {
        for (std::size_t i = 1; i < values.size(); i++)
            if (values[i] < values[i - 1])
                return false;
        return true;
    }

    void insert(Value value) {
        std::size_t at = 0;
#if MUTANT == 1
        while (at + 1 < values.size() && values[at] < value)
#else
        while (at < values.size() && values[at] < value)
#endif
            at++;
        values.push_back(value);
        for (std::size_t i = values.size() - 1; i > at; i--)
            values[i] = values[i - 1];
        values[at] = value;
    }

    bool removeLast() {
#if MUTANT != 2
        if (values.empty())
            return false;
#endif
        values.pop_back();
        return true;
    }
};

template class Sorted<int>;
