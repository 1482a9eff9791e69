#include "../../examples/staged/lib/avl_tree.c"
#include "check.h"

int main(void) {
    struct AvlTree tree = {NULL, 0};
    CHECK(repOk(&tree));
    for (int i = 0; i < 300; i++) {
        int before = tree.size;
        bool inserted = insert(&tree, arbitrary(250));
        CHECK(repOk(&tree) && tree.size == before + inserted);
    }
    struct AvlTree ascending = {NULL, 0};
    for (int i = 0; i < 200; i++)
        CHECK(insert(&ascending, i) && repOk(&ascending) && !insert(&ascending, i));
    CHECK(ascending.size == 200 && ascending.root->height == 8);

    struct Node low = {1, 1, NULL, NULL}, root = {2, 2, &low, NULL};
    CHECK(repOk(&(struct AvlTree){&root, 2}));
    CHECK(!repOk(&(struct AvlTree){&root, 1}));
    root.height = 1;
    CHECK(!repOk(&(struct AvlTree){&root, 2}));
    root.height = 2;
    low.data = 2;
    CHECK(!repOk(&(struct AvlTree){&root, 2}));
    low.data = 1;
    low.right = &root;
    CHECK(!repOk(&(struct AvlTree){&root, 2}));
    struct Node lowest = {0, 1, NULL, NULL};
    low = (struct Node){1, 2, &lowest, NULL};
    root.height = 3;
    CHECK(!repOk(&(struct AvlTree){&root, 3}));
    low = (struct Node){1, 1, NULL, NULL};
    root = (struct Node){2, 2, &low, &low};
    CHECK(!repOk(&(struct AvlTree){&root, 3}));
}
