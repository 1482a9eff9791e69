/* A search tree whose values ascend strictly, and how many nodes it has. */
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

enum { MOST = 16 };

struct Node {
    struct Node *left;
    struct Node *right;
    int value;
};

struct Tree {
    struct Node *root;
    int size;
};

static bool meet(const struct Node **met, int *count, const struct Node *node) {
    for (int i = 0; i < *count; i++)
        if (met[i] == node)
            return false;
    met[(*count)++] = node;
    return true;
}

static bool isTree(const struct Node *root, int *count) {
    const struct Node *met[MOST];
    *count = 0;
    meet(met, count, root);
    for (int at = 0; at < *count; at++) {
        const struct Node *node = met[at];
        if (node->left != NULL && !meet(met, count, node->left))
            return false;
        if (node->right != NULL && !meet(met, count, node->right))
            return false;
    }
    return true;
}

/* Whether all values lie strictly between two others. */
static bool isOrdered(const struct Node *node, int above, int below) {
    if (node == NULL)
        return true;
    if (node->value <= above || node->value >= below)
        return false;
    return isOrdered(node->left, above, node->value) && isOrdered(node->right, node->value, below);
}

bool repOk(const struct Tree *tree) {
    if (tree->root == NULL)
        return tree->size == 0;
    int count;
    return isTree(tree->root, &count) && tree->size == count && isOrdered(tree->root, INT_MIN, INT_MAX);
}
