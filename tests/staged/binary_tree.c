#include "../../examples/staged/lib/binary_tree.c"
#include "check.h"

int main(void) {
    struct BinaryTree tree = {NULL, 0};
    CHECK(repOk(&tree));
    for (int i = 0; i < 200; i++) {
        CHECK(insert(&tree, (unsigned)arbitrary(1 << 20), i) && tree.size == i + 1 && repOk(&tree));
        if (i % 10 == 0)
            mirror(&tree);
        CHECK(repOk(&tree));
    }

    struct Node left = {.data = 1}, right = {.data = 2}, root = {0, &left, &right, NULL};
    CHECK(!repOk(&(struct BinaryTree){&root, 3}));
    left.parent = right.parent = &root;
    CHECK(repOk(&(struct BinaryTree){&root, 3}));
    CHECK(!repOk(&(struct BinaryTree){&root, 2}));
    root.right = &left;
    CHECK(!repOk(&(struct BinaryTree){&root, 2}));
    root.right = &root;
    CHECK(!repOk(&(struct BinaryTree){&root, 2}));
}
