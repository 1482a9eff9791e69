/* A driver that asks for objects itself: what is added can be removed again.
 *
 *     everypath run examples/staged/driver.c
 *     everypath replay everypath-last --native */
#include "everypath.h"
#include "search_tree.c"

int main(void) {
    struct SearchTree tree;
    ep_regenerate(&tree, "lib/search_tree.stage");
    int data;
    ep_symbolic(&data, sizeof data, "data");
    int size = tree.size;
    add(&tree, data);
    ep_assert(repOk(&tree) && tree.size == size + 1);
    ep_assert(removeData(&tree, data));
    ep_assert(repOk(&tree) && tree.size == size);
    return size;
}
