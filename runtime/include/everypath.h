/* Marking inputs and stating properties for Everypath, in C and C++.
 *
 *     int x;
 *     ep_symbolic(&x, sizeof x, "x");   // x may be anything
 *     ep_assume(x > 0);                 // only positive x from here on
 *     ep_assert(f(x) != 0);             // is there an x for which this fails?
 *
 * `everypath run` explores the program; `everypath replay --native` links the
 * same file with a runtime that feeds the values of a recorded test.
 */
#ifndef EVERYPATH_H
#define EVERYPATH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Makes the `size` bytes at `object` an input of the program. The name appears
 * in the tests; several inputs may share one. */
void ep_symbolic(void *object, size_t size, const char *name);

/* Before a function: it is never followed symbolically. Conditions on what it
 * gives are solved by running it, natively if the program does not define it.
 * It must have no effects, and take and give numbers.
 *
 *     EP_CONCRETE EP_PARTITION("x > 3.0", "x <= 3.0")
 *     double hash(double x);
 *
 * The conditions divide its arguments into parts that are worth trying each, up
 * to eight; they are C's, over its parameters and constants. */
#define EP_CONCRETE __attribute__((annotate("everypath.concrete")))
#define EP_PARTITION(...)                                                                          \
    EP_PARTITION_CHOSEN(__VA_ARGS__, EP_PARTITION_8, EP_PARTITION_7, EP_PARTITION_6,               \
                        EP_PARTITION_5, EP_PARTITION_4, EP_PARTITION_3, EP_PARTITION_2,            \
                        EP_PARTITION_1, 0)                                                         \
    (__VA_ARGS__)
#define EP_PARTITION_CHOSEN(a, b, c, d, e, f, g, h, chosen, ...) chosen
#define EP_PARTITION_1(a) __attribute__((annotate("everypath.partition:" a)))
#define EP_PARTITION_2(a, b) EP_PARTITION_1(a) EP_PARTITION_1(b)
#define EP_PARTITION_3(a, b, c) EP_PARTITION_1(a) EP_PARTITION_2(b, c)
#define EP_PARTITION_4(a, b, c, d) EP_PARTITION_1(a) EP_PARTITION_3(b, c, d)
#define EP_PARTITION_5(a, b, c, d, e) EP_PARTITION_1(a) EP_PARTITION_4(b, c, d, e)
#define EP_PARTITION_6(a, b, c, d, e, f) EP_PARTITION_1(a) EP_PARTITION_5(b, c, d, e, f)
#define EP_PARTITION_7(a, b, c, d, e, f, g) EP_PARTITION_1(a) EP_PARTITION_6(b, c, d, e, f, g)
#define EP_PARTITION_8(a, b, c, d, e, f, g, h) EP_PARTITION_1(a) EP_PARTITION_7(b, c, d, e, f, g, h)

/* Goes on only with inputs for which the condition holds. */
void ep_assume(bool condition);

/* Drops this path: it is counted as ignored and no test is written for it. */
__attribute__((noreturn)) void ep_ignore(void);

/* Any value in [0, count). One input named "ep_choose", of the size of size_t. */
size_t ep_choose(size_t count);

/* Any value in [low, high). One input with that name, of the size of int; no
 * input when there is only one such value. */
int ep_range(int low, int high, const char *name);

/* Whether the value depends on an input here. Always false in a native replay. */
bool ep_is_symbolic(uintptr_t value);

/* Makes an object any object of a suite, which `everypath stage build` has made:
 *
 *     struct SearchTree tree;                // or struct SearchTree *tree;
 *     ep_regenerate(&tree, "tree.stage");
 *
 * The object is symbolic, with all that its class invariant says of it. It takes a
 * pointer to the object, or to a pointer that leads to a new object then. What the
 * object leads to comes from malloc, and a new object does too. Each call has
 * objects of its own. The suite is looked for where the run was started, and beside
 * the program's first file. */
#define ep_regenerate(object, suite)                                                               \
    do {                                                                                           \
        __typeof__(&*(object)) ep_regenerated_ = (object);                                         \
        __ep_regenerate(&ep_regenerated_, (suite));                                                \
    } while (0)

/* The first argument is the address of a local variable, whose type is what counts. */
void __ep_regenerate(void *variable, const char *suite);

/* In a function that has to hold after a method: what the object, which the method was
 * given, was before.
 *
 *     bool popPost(const struct list *list, bool done) {
 *         return list->size == ep_old(list)->size - done;
 *     }
 *
 * What it leads to is what it was before too. */
#define ep_old(object) ((__typeof__(&*(object)))__ep_old(object))

void *__ep_old(const void *object);
/* Unit tests tell the objects before they call the method. */
void __ep_remember(const void *object, size_t size);

/* A pointer to an object of the type: null, or to one that was given before, or to
 * the next of `count` new ones. Numbers in a new object are inputs, and so are its
 * pointers: set them before use. Each place it is written at is a pool of its own,
 * so that it is best put into a function:
 *
 *     struct Node *anyNode(void) { return EP_POOL(struct Node, 4); } */
#define EP_POOL(type, count)                                                                       \
    __extension__({                                                                                \
        static type ep_objects_[count];                                                            \
        static size_t ep_given_;                                                                   \
        (type *)__ep_from_pool(ep_objects_, &ep_given_, (count), sizeof(type), #type);             \
    })

/* One path for each object, so that the address is a known one on each. */
static __inline__ void *__ep_from_pool(void *objects, size_t *given, size_t count, size_t size,
                                       const char *name) {
    size_t chosen = ep_choose(*given + (*given < count ? 2 : 1)), number = 0;
    while (number < chosen)
        number++;
    if (number == 0)
        return (void *)0;
    char *object = (char *)objects + (number - 1) * size;
    if (number > *given) {
        ep_symbolic(object, size, name);
        ++*given;
    }
    return object;
}

/* Marks a place as worth reaching; the report says whether it was reached. */
void ep_cover(const char *label);

/* An error on every path on which the condition does not hold. Unlike assert(),
 * it is not removed by NDEBUG. */
#define ep_assert(condition)                                                                       \
    ((condition) ? (void)0 : __ep_assert_fail(#condition, __FILE__, __LINE__, __func__))

__attribute__((noreturn)) void __ep_assert_fail(const char *condition, const char *file,
                                                unsigned line, const char *function);

#ifdef __cplusplus
}

namespace ep {

/* Any value: an input of the program. The type is one that memcpy copies. */
template <class T> T any(const char *name = "any") {
#if __cplusplus >= 201103L
    static_assert(__is_trivially_copyable(T), "only what memcpy copies can be any value");
#endif
    T value;
    ep_symbolic(&value, sizeof value, name);
    return value;
}
template <> inline bool any<bool>(const char *name) {
    unsigned char value = any<unsigned char>(name);
    ep_assume(value < 2);
    return value == 1;
}

/* A new object, any one of the suite. */
template <class T> T *regenerate(const char *suite) {
    T *object = 0;
    ep_regenerate(&object, suite);
    return object;
}

/* Objects to choose from, as EP_POOL has them. */
template <class T> class Pool {
  public:
    /* Null, or an object that was given before, or the next new one. */
    T *get() {
        return static_cast<T *>(__ep_from_pool(objects, &given, count, sizeof(T), "ep::pool"));
    }

  private:
    /* Pools are static, and so begin as zeros. */
    T *objects;
    size_t count, given;
    template <class U> friend Pool<U> &pool(size_t count);
};

/* The pool of a type; its first use says how many objects there are. */
template <class T> Pool<T> &pool(size_t count) {
    static Pool<T> only;
    if (!only.objects) {
        only.objects = static_cast<T *>(::operator new(count * sizeof(T)));
        only.count = count;
    }
    return only;
}

} // namespace ep
#endif

#endif
