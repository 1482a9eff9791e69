#include "../../examples/staged/lib/red_black_parents.c"
#include "check.h"

int main(void) {
    struct RedBlackTree tree = {NULL, 0};
    CHECK(repOk(&tree));
    for (int i = 0; i < 300; i++) {
        int before = tree.size;
        bool inserted = insert(&tree, arbitrary(250));
        CHECK(repOk(&tree) && tree.size == before + inserted);
    }
    struct RedBlackTree ascending = {NULL, 0}, descending = {NULL, 0};
    for (int i = 0; i < 200; i++) {
        CHECK(insert(&ascending, i) && repOk(&ascending) && !insert(&ascending, i));
        CHECK(insert(&descending, -i) && repOk(&descending));
    }

    struct Node root = {2, BLACK, NULL, NULL, NULL}, low = {1, RED, NULL, NULL, &root};
    root.left = &low;
    CHECK(repOk(&(struct RedBlackTree){&root, 2}));
    CHECK(!repOk(&(struct RedBlackTree){&root, 3}));
    low.parent = NULL;
    CHECK(!repOk(&(struct RedBlackTree){&root, 2}));
    low.parent = &root;
    low.colour = BLACK;
    CHECK(!repOk(&(struct RedBlackTree){&root, 2}));
    low.colour = (enum Colour)7;
    CHECK(!repOk(&(struct RedBlackTree){&root, 2}));
    low.colour = RED;
    low.key = 2;
    CHECK(!repOk(&(struct RedBlackTree){&root, 2}));
    low.key = 1;
    low.left = &root;
    CHECK(!repOk(&(struct RedBlackTree){&root, 2}));
    low.left = NULL;
    root.colour = RED;
    CHECK(!repOk(&(struct RedBlackTree){&root, 2}));
}
