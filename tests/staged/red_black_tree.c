#include "../../examples/staged/lib/red_black_tree.c"
#include "check.h"

int main(void) {
    struct RedBlackTree tree = {NULL, 0};
    CHECK(repOk(&tree));
    for (int i = 0; i < 300; i++) {
        int before = tree.size;
        bool inserted = insert(&tree, arbitrary(250));
        CHECK(repOk(&tree) && tree.size == before + inserted);
    }
    struct RedBlackTree ascending = {NULL, 0};
    for (int i = 0; i < 200; i++)
        CHECK(insert(&ascending, i) && repOk(&ascending) && !insert(&ascending, i));

    struct Node low = {1, RED, NULL, NULL}, root = {2, BLACK, &low, NULL};
    CHECK(repOk(&(struct RedBlackTree){&root, 2}));
    CHECK(!repOk(&(struct RedBlackTree){&root, 3}));
    low.colour = BLACK;
    CHECK(!repOk(&(struct RedBlackTree){&root, 2}));
    low.colour = (enum Colour)7;
    CHECK(!repOk(&(struct RedBlackTree){&root, 2}));
    low.colour = RED;
    low.data = 2;
    CHECK(!repOk(&(struct RedBlackTree){&root, 2}));
    low.data = 1;
    low.left = &root;
    CHECK(!repOk(&(struct RedBlackTree){&root, 2}));
    low.left = NULL;
    root.colour = RED;
    CHECK(!repOk(&(struct RedBlackTree){&root, 2}));
    root = (struct Node){1, BLACK, NULL, NULL};
    struct Node high = {3, RED, NULL, NULL};
    low = (struct Node){2, RED, NULL, &high};
    root.right = &low;
    CHECK(!repOk(&(struct RedBlackTree){&root, 3}));
}
