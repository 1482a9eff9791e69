/* An AVL tree: a search tree without equal values in which the heights of two
 * siblings differ by one at most. Every node keeps its height, a leaf's is 1. */
#include "visited.h"

#include <stdlib.h>

#ifndef MUTANT
#define MUTANT 0
#endif

struct Node {
    int data;
    int height;
    struct Node *left;
    struct Node *right;
};

struct AvlTree {
    struct Node *root;
    int size;
};

static bool isTree(const struct Node *node, struct Visited *visited) {
    if (node == NULL)
        return true;
    return visit(visited, node) && isTree(node->left, visited) && isTree(node->right, visited);
}

static int taller(int left, int right) {
    return left > right ? left : right;
}

/* The height by counting, or -1 where siblings differ too much. */
static int balancedHeight(const struct Node *node) {
    if (node == NULL)
        return 0;
    int left = balancedHeight(node->left), right = balancedHeight(node->right);
    if (left < 0 || right < 0 || left - right > 1 || right - left > 1)
        return -1;
    return 1 + taller(left, right);
}

static bool heightsAreKept(const struct Node *node) {
    if (node == NULL)
        return true;
    bool here = node->height == balancedHeight(node);
    bool left = heightsAreKept(node->left);
    bool right = heightsAreKept(node->right);
    return here & left & right;
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

bool repOk(const struct AvlTree *tree) {
    struct Visited visited;
    visited.count = 0;
    if (!isTree(tree->root, &visited) || balancedHeight(tree->root) < 0)
        return false;
    bool ordered = isOrdered(tree->root, NULL, NULL);
    bool heights = heightsAreKept(tree->root);
    return (tree->size == visited.count) & ordered & heights;
}

static int height(const struct Node *node) {
    return node == NULL ? 0 : node->height;
}

static void measure(struct Node *node) {
    node->height = 1 + taller(height(node->left), height(node->right));
}

static struct Node *rotateRight(struct Node *node) {
    struct Node *top = node->left;
    node->left = top->right;
    top->right = node;
    measure(node);
    measure(top);
    return top;
}

static struct Node *rotateLeft(struct Node *node) {
    struct Node *top = node->right;
    node->right = top->left;
    top->left = node;
    measure(node);
    measure(top);
    return top;
}

static struct Node *balance(struct Node *node) {
    measure(node);
    int lean = height(node->left) - height(node->right);
    if (lean > 1) {
        if (height(node->left->left) < height(node->left->right))
            node->left = rotateLeft(node->left);
#if MUTANT == 1
        return node;
#else
        return rotateRight(node);
#endif
    }
    if (lean < -1) {
        if (height(node->right->right) < height(node->right->left))
            node->right = rotateRight(node->right);
        return rotateLeft(node);
    }
    return node;
}

static struct Node *insertUnder(struct Node *node, int data, bool *inserted) {
    if (node == NULL) {
        struct Node *leaf = malloc(sizeof *leaf);
        if (leaf == NULL)
            return NULL;
        *leaf = (struct Node){.data = data, .height = 1};
        *inserted = true;
        return leaf;
    }
#if MUTANT == 2
    if (data <= node->data)
#else
    if (data < node->data)
#endif
        node->left = insertUnder(node->left, data, inserted);
    else if (data > node->data)
        node->right = insertUnder(node->right, data, inserted);
    return balance(node);
}

/* False when the value was there already, or there is no memory. */
bool insert(struct AvlTree *tree, int data) {
    bool inserted = false;
    tree->root = insertUnder(tree->root, data, &inserted);
    if (inserted)
        tree->size++;
    return inserted;
}
