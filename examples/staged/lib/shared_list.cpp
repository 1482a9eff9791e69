/* A list whose links own the next and know the one before. */
#include <memory>

#ifndef MUTANT
#define MUTANT 0
#endif

struct Link {
    int value;
    std::shared_ptr<Link> next;
    Link *before;
};

class List {
    std::shared_ptr<Link> first;
    int size = 0;

  public:
    bool repOk() const {
        int count = 0;
        const Link *before = nullptr;
        for (const Link *at = first.get(); at; at = at->next.get()) {
            if (++count > 4 || at->before != before)
                return false;
            before = at;
        }
        return count == size;
    }

    void push(int value) {
        auto link = std::make_shared<Link>();
        link->value = value;
        link->next = first;
#if MUTANT != 1
        if (first)
            first->before = link.get();
#endif
        first = link;
        size++;
    }

    bool pop() {
        if (!first)
            return false;
        first = first->next;
        size--;
#if MUTANT != 2
        if (first)
            first->before = nullptr;
#endif
        return true;
    }
};

int use(List &list) {
    list.push(1);
    return list.pop() + list.repOk();
}
