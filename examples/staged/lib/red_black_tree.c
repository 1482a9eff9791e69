/* A red-black tree: a search tree without equal values whose root is black, in
 * which no red node has a red child and every way down passes equally many black
 * nodes. All colourings of one shape are a single path of the invariant. */
#include "visited.h"

#include <stdlib.h>

#ifndef MUTANT
#define MUTANT 0
#endif

enum Colour { RED, BLACK };

struct Node {
    int data;
    enum Colour colour;
    struct Node *left;
    struct Node *right;
};

struct RedBlackTree {
    struct Node *root;
    int size;
};

static bool isTree(const struct Node *node, struct Visited *visited) {
    if (node == NULL)
        return true;
    return visit(visited, node) && isTree(node->left, visited) && isTree(node->right, visited);
}

/* Whether `low < data < high` all over the subtree; NULL is no bound. */
static bool isOrdered(const struct Node *node, const struct Node *low, const struct Node *high) {
    if (node == NULL)
        return true;
    bool above = low == NULL || low->data < node->data;
    bool below = high == NULL || node->data < high->data;
    bool left = isOrdered(node->left, low, node);
    bool right = isOrdered(node->right, node, high);
    return above & below & left & right;
}

static bool isBlack(const struct Node *node) {
    return node == NULL || node->colour == BLACK;
}

static bool isRed(const struct Node *node) {
    return node != NULL && node->colour == RED;
}

/* Puts the number of black nodes on a way down into `blacks`. */
static bool isColoured(const struct Node *node, int *blacks) {
    *blacks = 0;
    if (node == NULL)
        return true;
    int onTheLeft, onTheRight;
    bool left = isColoured(node->left, &onTheLeft);
    bool right = isColoured(node->right, &onTheRight);
    bool leftBlack = isBlack(node->left);
    bool rightBlack = isBlack(node->right);
    bool black = node->colour == BLACK;
    bool red = node->colour == RED;
    *blacks = onTheLeft + black;
    return left & right & (onTheLeft == onTheRight) & (black | (red & leftBlack & rightBlack));
}

bool repOk(const struct RedBlackTree *tree) {
    struct Visited visited;
    visited.count = 0;
    if (!isTree(tree->root, &visited))
        return false;
    int blacks;
    bool coloured = isColoured(tree->root, &blacks);
    bool ordered = isOrdered(tree->root, NULL, NULL);
    bool rootBlack = isBlack(tree->root);
    return (tree->size == visited.count) & coloured & ordered & rootBlack;
}

/* A red node with black children left and right, of three nodes in order and the
 * four subtrees between them. */
static struct Node *arrange(struct Node *left, struct Node *top, struct Node *right,
                            struct Node *second, struct Node *third) {
    left->right = second;
    right->left = third;
    top->left = left;
    top->right = right;
    top->colour = RED;
    left->colour = BLACK;
#if MUTANT != 2
    right->colour = BLACK;
#endif
    return top;
}

/* Takes a red child with a red child of its own from under a black node. */
static struct Node *balance(struct Node *node) {
    struct Node *left = node->left, *right = node->right;
    if (node->colour == RED)
        return node;
    if (isRed(left) && isRed(left->left))
        return arrange(left->left, left, node, left->left->right, left->right);
    if (isRed(left) && isRed(left->right))
        return arrange(left, left->right, node, left->right->left, left->right->right);
    if (isRed(right) && isRed(right->left))
        return arrange(node, right->left, right, right->left->left, right->left->right);
    if (isRed(right) && isRed(right->right))
        return arrange(node, right, right->right, right->left, right->right->left);
    return node;
}

static struct Node *insertUnder(struct Node *node, int data, bool *inserted) {
    if (node == NULL) {
        struct Node *leaf = malloc(sizeof *leaf);
        if (leaf == NULL)
            return NULL;
        *leaf = (struct Node){.data = data, .colour = RED};
        *inserted = true;
        return leaf;
    }
    if (data < node->data)
        node->left = insertUnder(node->left, data, inserted);
    else if (data > node->data)
        node->right = insertUnder(node->right, data, inserted);
    return balance(node);
}

/* False when the value was there already, or there is no memory. */
bool insert(struct RedBlackTree *tree, int data) {
    bool inserted = false;
    tree->root = insertUnder(tree->root, data, &inserted);
    if (inserted) {
#if MUTANT != 1
        tree->root->colour = BLACK;
#endif
        tree->size++;
    }
    return inserted;
}
