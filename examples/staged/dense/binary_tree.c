/* A binary tree of nothing but shape, and how many nodes it has. */
#include <stdbool.h>
#include <stddef.h>

enum { MOST = 16 };

struct Node {
    struct Node *left;
    struct Node *right;
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

bool repOk(const struct Tree *tree) {
    if (tree->root == NULL)
        return tree->size == 0;
    const struct Node *met[MOST];
    int count = 0;
    meet(met, &count, tree->root);
    for (int at = 0; at < count; at++) {
        const struct Node *node = met[at];
        if (node->left != NULL && !meet(met, &count, node->left))
            return false;
        if (node->right != NULL && !meet(met, &count, node->right))
            return false;
    }
    return tree->size == count;
}
