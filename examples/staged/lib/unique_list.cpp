/* A list whose links own each other, for values of any type. */
#include <memory>
#include <utility>

#ifndef MUTANT
#define MUTANT 0
#endif

template <typename Value> struct Link {
    Value value;
    std::unique_ptr<Link> next;
};

template <typename Value> class List {
    std::unique_ptr<Link<Value>> first;
    int size = 0;

  public:
    bool repOk() const {
        int count = 0;
        for (const Link<Value> *at = first.get(); at; at = at->next.get())
            if (++count > 8)
                return false;
        return count == size;
    }

    void push(Value value) {
        auto link = std::make_unique<Link<Value>>();
        link->value = value;
#if MUTANT != 1
        link->next = std::move(first);
#endif
        first = std::move(link);
        size++;
    }

    bool pop() {
        if (!first)
            return false;
        first = std::move(first->next);
#if MUTANT != 2
        size--;
#endif
        return true;
    }
};

template class List<int>;
