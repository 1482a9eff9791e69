/* A red-black tree as textbooks have it: nodes know their parents, and an insertion goes up
 * again from the new leaf, recolouring and rotating. The invariant ends at the first thing
 * that is wrong, so every colouring of a shape is a path of its own. */
#include "visited.h"

#include <stdlib.h>

#ifndef MUTANT
#define MUTANT 0
#endif

enum Colour { RED, BLACK };

struct Node {
    int key;
    enum Colour colour;
    struct Node *left;
    struct Node *right;
    struct Node *parent;
};

struct RedBlackTree {
    struct Node *root;
    int size;
};

static bool isTree(const struct Node *node, const struct Node *parent, struct Visited *visited) {
    if (node == NULL)
        return true;
    return visit(visited, node) && node->parent == parent && isTree(node->left, node, visited) &&
           isTree(node->right, node, visited);
}

/* Whether the subtree is in order and between two keys; NULL is no bound. */
static bool isOrdered(const struct Node *node, const int *low, const int *high) {
    if (node == NULL)
        return true;
    if ((low != NULL && node->key <= *low) || (high != NULL && node->key >= *high))
        return false;
    return isOrdered(node->left, low, &node->key) && isOrdered(node->right, &node->key, high);
}

static bool isRed(const struct Node *node) {
    return node != NULL && node->colour == RED;
}

/* How many black nodes every way down passes; -1 where they differ, or red follows red. */
static int blackHeight(const struct Node *node) {
    if (node == NULL)
        return 0;
    if (node->colour != RED && node->colour != BLACK)
        return -1;
    if (isRed(node) && (isRed(node->left) || isRed(node->right)))
        return -1;
    int left = blackHeight(node->left);
    if (left < 0 || left != blackHeight(node->right))
        return -1;
    return left + (node->colour == BLACK);
}

bool repOk(const struct RedBlackTree *tree) {
    struct Visited visited;
    visited.count = 0;
    return isTree(tree->root, NULL, &visited) && tree->size == visited.count &&
           isOrdered(tree->root, NULL, NULL) && !isRed(tree->root) && blackHeight(tree->root) >= 0;
}

/* Puts `with` where `node` is under its parent. */
static void replace(struct RedBlackTree *tree, struct Node *node, struct Node *with) {
    with->parent = node->parent;
    if (node->parent == NULL)
        tree->root = with;
    else if (node == node->parent->left)
        node->parent->left = with;
    else
        node->parent->right = with;
}

static void rotateLeft(struct RedBlackTree *tree, struct Node *node) {
    struct Node *right = node->right;
    node->right = right->left;
    if (right->left != NULL)
        right->left->parent = node;
    replace(tree, node, right);
    right->left = node;
#if MUTANT != 1
    node->parent = right;
#endif
}

static void rotateRight(struct RedBlackTree *tree, struct Node *node) {
    struct Node *left = node->left;
    node->left = left->right;
    if (left->right != NULL)
        left->right->parent = node;
    replace(tree, node, left);
    left->right = node;
    node->parent = left;
}

/* Goes up from a new red node until no red node has a red parent. */
static void mend(struct RedBlackTree *tree, struct Node *node) {
    while (isRed(node->parent)) {
        struct Node *parent = node->parent, *grand = parent->parent;
        bool isLeft = parent == grand->left;
        struct Node *uncle = isLeft ? grand->right : grand->left;
        if (isRed(uncle)) {
            parent->colour = BLACK;
            uncle->colour = BLACK;
            grand->colour = RED;
            node = grand;
            continue;
        }
#if MUTANT != 2
        if (isLeft && node == parent->right) {
            rotateLeft(tree, parent);
            parent = node;
        } else if (!isLeft && node == parent->left) {
            rotateRight(tree, parent);
            parent = node;
        }
#endif
        parent->colour = BLACK;
        grand->colour = RED;
        if (isLeft)
            rotateRight(tree, grand);
        else
            rotateLeft(tree, grand);
        break;
    }
    tree->root->colour = BLACK;
}

/* False when the key was there already, or there is no memory. */
bool insert(struct RedBlackTree *tree, int key) {
    struct Node *parent = NULL, **place = &tree->root;
    while (*place != NULL) {
        parent = *place;
        if (key == parent->key)
            return false;
        place = key < parent->key ? &parent->left : &parent->right;
    }
    struct Node *node = malloc(sizeof *node);
    if (node == NULL)
        return false;
    *node = (struct Node){.key = key, .colour = RED, .parent = parent};
    *place = node;
    mend(tree, node);
    tree->size++;
    return true;
}
