/* A binary tree without order: no node is reached twice, each knows its parent,
 * and the tree knows the number of nodes. */
#include "visited.h"

#include <stdlib.h>

#ifndef MUTANT
#define MUTANT 0
#endif

struct Node {
    int data;
    struct Node *left;
    struct Node *right;
    struct Node *parent;
};

struct BinaryTree {
    struct Node *root;
    int size;
};

static bool isTree(const struct Node *node, const struct Node *parent, struct Visited *visited) {
    if (node == NULL)
        return true;
    return visit(visited, node) && node->parent == parent && isTree(node->left, node, visited)
           && isTree(node->right, node, visited);
}

bool repOk(const struct BinaryTree *tree) {
    struct Visited visited;
    visited.count = 0;
    return isTree(tree->root, NULL, &visited) && tree->size == visited.count;
}

/* Follows the bits of `way` from the lowest, 1 to the right and 0 to the left, to
 * the first free place; false when there is no memory. */
bool insert(struct BinaryTree *tree, unsigned way, int data) {
    struct Node *node = malloc(sizeof *node);
    if (node == NULL)
        return false;
    struct Node *parent = NULL, **place = &tree->root;
    while (*place != NULL) {
        parent = *place;
        if (way & 1)
            place = &parent->right;
        else
            place = &parent->left;
        way >>= 1;
    }
    *node = (struct Node){.data = data, .parent = parent};
    *place = node;
#if MUTANT != 1
    tree->size++;
#endif
    return true;
}

static void mirrorNodes(struct Node *node) {
    if (node == NULL)
        return;
    struct Node *left = node->left;
    node->left = node->right;
    node->right = left;
#if MUTANT == 2
    if (node->left != NULL)
        node->left->parent = node->right;
    mirrorNodes(node->left);
#else
    mirrorNodes(node->left);
#endif
    mirrorNodes(node->right);
}

/* Makes left what was right, in the whole tree. */
void mirror(struct BinaryTree *tree) {
    mirrorNodes(tree->root);
}
