/* Sorted lists by brute force: how many there are, and what `add` and the other
 * methods do to each of them and to each pair.
 * mutants: 6 */
#include "../../examples/staged/sorted_list.c"
#include "check.h"

enum { MOST_LINKS = 3, VALUES = 4, MOST_LISTS = 64 };

/* A list's values, and how many times each is in it. */
struct Content {
    int length;
    int data[MOST_LINKS];
    int times[VALUES];
};

static struct Content contents[MOST_LISTS];
static int lists;

static struct SortedList build(const struct Content *content) {
    struct SortedList list = {NULL, content->length};
    for (int i = content->length; i-- > 0;)
        list.first = newLink(content->data[i], list.first);
    return list;
}

static int occurrences(const struct Link *link, int data) {
    int times = 0;
    for (; link != NULL; link = link->next)
        times += link->data == data;
    return times;
}

/* All fields of all links over all their values: keeps those that are lists with
 * the links numbered from the first and the others blank. */
static void findLists(void) {
    struct Link links[MOST_LINKS];
    int perLink = VALUES * (MOST_LINKS + 1);
    for (int candidate = 0; candidate < perLink * perLink * perLink; candidate++) {
        int rest = candidate, used = 0;
        for (int i = 0; i < MOST_LINKS; i++) {
            links[i].data = rest % VALUES;
            rest /= VALUES;
            int next = rest % (MOST_LINKS + 1);
            links[i].next = next == 0 ? NULL : &links[next - 1];
            rest /= MOST_LINKS + 1;
        }
        for (int first = 0; first <= MOST_LINKS; first++)
            for (int size = 0; size <= MOST_LINKS; size++) {
                struct SortedList list = {first == 0 ? NULL : &links[first - 1], size};
                if (!listRepOk(&list))
                    continue;
                used = 0;
                bool canonical = true;
                struct Content content = {0};
                for (struct Link *link = list.first; link != NULL; link = link->next) {
                    canonical &= link == &links[used];
                    content.times[link->data]++;
                    content.data[used++] = link->data;
                }
                content.length = used;
                for (int i = used; i < MOST_LINKS; i++)
                    canonical &= links[i].data == 0 && links[i].next == NULL;
                if (canonical)
                    contents[lists++] = content;
            }
    }
    printf("up to %d links over %d values: %d lists\n", MOST_LINKS, VALUES, lists);
}

static int invariantBroken, postconditionBroken;

static void tryAdd(const struct Content *content) {
    for (int data = -1; data <= VALUES; data++) {
        struct SortedList list = build(content);
        add(&list, data);
        if (!listRepOk(&list))
            invariantBroken++;
        else if (!addPost(&list, data))
            postconditionBroken++;
    }
}

static void tryRemove(const struct Content *content) {
    for (int data = 0; data < VALUES; data++) {
        struct SortedList list = build(content);
        CHECK(removeData(&list, data) == (content->times[data] > 0));
        CHECK(listRepOk(&list));
        for (int other = 0; other < VALUES; other++)
            CHECK(occurrences(list.first, other)
                  == content->times[other] - (other == data && content->times[data] > 0));
    }
}

static void tryPair(const struct Content *one, const struct Content *two) {
    struct SortedList first = build(one), second = build(two);
    CHECK(isEqual(&first, &second) == (one == two));
    struct Link *all = unite(&first, &second);
    struct Link *more = unite4(&first, &second, &first, &(struct SortedList){NULL, 0});
    for (int data = 0; data < VALUES; data++) {
        CHECK(occurrences(all, data) == one->times[data] + two->times[data]);
        CHECK(occurrences(more, data) == 2 * one->times[data] + two->times[data]);
    }
    for (int i = 0; i < lists; i++) {
        struct SortedList common = build(&contents[i]);
        bool expected = true;
        for (int data = 0; data < VALUES; data++) {
            int least = one->times[data] < two->times[data] ? one->times[data] : two->times[data];
            expected &= contents[i].times[data] == least;
        }
        CHECK(isIntersection(&first, &second, &common) == expected);
    }
    merge(&first, &second);
    CHECK(listRepOk(&first) && listRepOk(&second) && second.size == 0);
    for (int data = 0; data < VALUES; data++)
        CHECK(occurrences(first.first, data) == one->times[data] + two->times[data]);
}

int main(void) {
    findLists();
    for (int i = 0; i < lists; i++) {
        tryAdd(&contents[i]);
        tryRemove(&contents[i]);
        for (int j = 0; j < lists; j++)
            tryPair(&contents[i], &contents[j]);
    }
    printf("add: invariant broken %d times, postcondition %d times\n", invariantBroken,
           postconditionBroken);
}
