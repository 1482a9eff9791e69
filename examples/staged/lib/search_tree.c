/* A binary search tree: smaller values on the left, equal and larger ones on the
 * right, and the number of nodes. The methods are in ../search_tree.c. */
#include "visited.h"

#include <stdlib.h>

struct Node {
    int data;
    struct Node *left;
    struct Node *right;
};

struct SearchTree {
    struct Node *root;
    int size;
};

static bool isTree(const struct Node *node, struct Visited *visited) {
    if (node == NULL)
        return true;
    return visit(visited, node) && isTree(node->left, visited) && isTree(node->right, visited);
}

/* Whether `low <= data < high` all over the subtree; NULL is no bound. */
static bool isOrdered(const struct Node *node, const struct Node *low, const struct Node *high) {
    if (node == NULL)
        return true;
    bool notBelow = low == NULL || low->data <= node->data;
    bool below = high == NULL || node->data < high->data;
    bool left = isOrdered(node->left, low, node);
    bool right = isOrdered(node->right, node, high);
    return notBelow & below & left & right;
}

/* The shape decides which way this goes; what the values have to be is gathered
 * without a branch, so that all trees of one shape are a single path. */
bool repOk(const struct SearchTree *tree) {
    struct Visited visited;
    visited.count = 0;
    if (!isTree(tree->root, &visited))
        return false;
    bool ordered = isOrdered(tree->root, NULL, NULL);
    return (tree->size == visited.count) & ordered;
}

/* Running out of memory ends the program. */
struct Node *newNode(int data) {
    struct Node *node = malloc(sizeof *node);
    if (node == NULL)
        abort();
    node->data = data;
    node->left = NULL;
    node->right = NULL;
    return node;
}
