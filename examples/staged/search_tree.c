/* A binary search tree and what can be done with it.
 *
 *     everypath stage build examples/staged/search_tree.c \
 *         --object SearchTree --invariant repOk --max Node=4 -o tree.stage
 *     everypath stage run examples/staged/search_tree.c --method add --input tree.stage
 *
 * -DMUTANT=1 to 6 puts a mistake into `add`. */
#include "lib/search_tree.c"
#include "lib/sorted_list.c"

void add(struct SearchTree *tree, int data) {
    struct Node **place = &tree->root;
    while (*place != NULL) {
#if MUTANT == 1
        if (data <= (*place)->data)
#elif MUTANT == 2
        if (data > (*place)->data)
#else
        if (data < (*place)->data)
#endif
            place = &(*place)->left;
        else
#if MUTANT == 4
            place = &(*place)->left;
#else
            place = &(*place)->right;
#endif
    }
#if MUTANT != 5 && MUTANT != 6
    *place = newNode(data);
#endif
#if MUTANT != 3 && MUTANT != 6
    tree->size++;
#endif
}

static bool holds(const struct Node *node, int data) {
    if (node == NULL)
        return false;
    bool here = node->data == data;
    bool left = holds(node->left, data);
    bool right = holds(node->right, data);
    return here | left | right;
}

/* What has been added is there. A tree left as it was (mutant 6) satisfies the
 * invariant, so that only this tells. */
bool addPost(const struct SearchTree *tree, int data) {
    return holds(tree->root, data);
}

static struct Node *detachLeast(struct Node **place) {
    while ((*place)->left != NULL)
        place = &(*place)->left;
    struct Node *least = *place;
    *place = least->right;
    return least;
}

/* Removes one node with the value; false when there is none. */
bool removeData(struct SearchTree *tree, int data) {
    struct Node **place = &tree->root;
    while (*place != NULL && (*place)->data != data) {
        if (data < (*place)->data)
            place = &(*place)->left;
        else
            place = &(*place)->right;
    }
    struct Node *removed = *place;
    if (removed == NULL)
        return false;
    if (removed->left == NULL) {
        *place = removed->right;
    } else if (removed->right == NULL) {
        *place = removed->left;
    } else {
        struct Node *heir = detachLeast(&removed->right);
        heir->left = removed->left;
        heir->right = removed->right;
        *place = heir;
    }
    free(removed);
    tree->size--;
    return true;
}

/* Whether the list goes on, from `*next`, with the preorder of the subtree;
 * moves `*next` behind it. */
static bool followsPreOrder(const struct Node *node, const struct Link **next) {
    if (node == NULL)
        return true;
    if (*next == NULL || (*next)->data != node->data)
        return false;
    *next = (*next)->next;
    return followsPreOrder(node->left, next) && followsPreOrder(node->right, next);
}

/* Whether the list is the tree's preorder. */
bool isPreOrder(const struct SearchTree *tree, const struct SortedList *list) {
    if (tree->size != list->size)
        return false;
    const struct Link *next = list->first;
    return followsPreOrder(tree->root, &next);
}

static bool areEqual(const struct Node *one, const struct Node *other) {
    if (one == NULL || other == NULL)
        return one == other;
    bool here = one->data == other->data;
    bool left = areEqual(one->left, other->left);
    bool right = areEqual(one->right, other->right);
    return here & left & right;
}

/* Whether the trees have the same shape and values. */
bool isEqual(const struct SearchTree *one, const struct SearchTree *other) {
    return areEqual(one->root, other->root);
}

static struct Link *collect(const struct Node *node, struct Link *rest) {
    if (node == NULL)
        return rest;
    return newLink(node->data, collect(node->left, collect(node->right, rest)));
}

/* The values of both trees in a chain of new links, in no order. */
struct Link *unite(const struct SearchTree *one, const struct SearchTree *two) {
    return collect(one->root, collect(two->root, NULL));
}

struct Link *unite3(const struct SearchTree *one, const struct SearchTree *two,
                    const struct SearchTree *three) {
    return collect(one->root, unite(two, three));
}

struct Link *unite4(const struct SearchTree *one, const struct SearchTree *two,
                    const struct SearchTree *three, const struct SearchTree *four) {
    return collect(one->root, unite3(two, three, four));
}
