/* Search trees by brute force: how many there are, and what `add` and the other
 * methods do to each of them.
 * mutants: 6 */
#include "../../examples/staged/search_tree.c"
#include "check.h"

enum { MOST_NODES = 5, VALUES = 4 };

static struct Node nodes[MOST_NODES];
static struct Node *const none = NULL;

/* Whether the nodes are numbered in preorder and those that the tree leaves out
 * are blank: one in each class of isomorphic graphs is. */
static int number(const struct Node *node, int next) {
    if (node == NULL || next < 0)
        return next;
    if (node != &nodes[next])
        return -1;
    return number(node->right, number(node->left, next + 1));
}

static bool isCanonical(const struct SearchTree *tree, int most) {
    int used = number(tree->root, 0);
    if (used < 0)
        return false;
    for (int i = used; i < most; i++)
        if (nodes[i].data != 0 || nodes[i].left != NULL || nodes[i].right != NULL)
            return false;
    return true;
}

static struct Node *pointer(int choice) {
    return choice == 0 ? none : &nodes[choice - 1];
}

static struct Node *copyNodes(const struct Node *node) {
    if (node == NULL)
        return NULL;
    struct Node *copy = newNode(node->data);
    copy->left = copyNodes(node->left);
    copy->right = copyNodes(node->right);
    return copy;
}

static struct SearchTree copyTree(const struct SearchTree *tree) {
    return (struct SearchTree){copyNodes(tree->root), tree->size};
}

static int occurrences(const struct Node *node, int data) {
    if (node == NULL)
        return 0;
    return (node->data == data) + occurrences(node->left, data) + occurrences(node->right, data);
}

static int invariantBroken, postconditionBroken;

static void tryAdd(const struct SearchTree *tree) {
    for (int data = -1; data <= VALUES; data++) {
        struct SearchTree after = copyTree(tree);
        add(&after, data);
        if (!repOk(&after))
            invariantBroken++;
        else if (!addPost(&after, data))
            postconditionBroken++;
    }
}

static void tryRemove(const struct SearchTree *tree) {
    for (int data = -1; data <= VALUES; data++) {
        struct SearchTree after = copyTree(tree);
        bool there = holds(tree->root, data);
        CHECK(removeData(&after, data) == there);
        CHECK(repOk(&after));
        for (int other = 0; other < VALUES; other++)
            CHECK(occurrences(after.root, other)
                  == occurrences(tree->root, other) - (there && other == data));
    }
}

static void tryQueries(const struct SearchTree *tree) {
    struct SearchTree twin = copyTree(tree);
    CHECK(isEqual(tree, &twin));
    int length = 0;
    for (struct Link *link = unite3(tree, &twin, tree); link != NULL; link = link->next)
        length++;
    CHECK(length == 3 * tree->size);
    CHECK(unite4(&twin, tree, &twin, tree) == NULL || tree->size > 0);

    struct SortedList preOrder = {unite(tree, &(struct SearchTree){NULL, 0}), tree->size};
    CHECK(isPreOrder(tree, &preOrder));
    if (tree->size == 0)
        return;
    preOrder.first->data++;
    CHECK(!isPreOrder(tree, &preOrder));
    preOrder.first = preOrder.first->next;
    preOrder.size--;
    CHECK(!isPreOrder(tree, &preOrder));
    twin.root->data++;
    CHECK(!isEqual(tree, &twin));
    free(twin.root);
    twin.root = NULL;
    CHECK(!isEqual(tree, &twin));
}

/* All fields of all nodes over all their values.
 *
 * For 3 nodes over 4 values there are 75 trees: 1 empty, 4 of one node, 6 + 10 of
 * two, and 4 + 10 + 10 + 10 + 20 of three, since equal values go to the right
 * only. The paper on staged symbolic execution says 53, which is none of the three
 * readings of order: 37 = 1 + 4 + 2*6 + 5*4 if no values are equal, 125 = 1 + 4 +
 * 2*10 + 5*20 if equal values go either way. Its tables count the last: 25 = 1 + 4
 * + 2*10 trees of up to two nodes over 4 values (625 pairs), 329 of three over 6. */
static void countTrees(int most) {
    int trees = 0;
    struct SearchTree tree;
    int fields = 1;
    for (int i = 0; i < most; i++)
        fields *= VALUES * (most + 1) * (most + 1);
    for (int candidate = 0; candidate < fields; candidate++) {
        int rest = candidate;
        for (int i = 0; i < most; i++) {
            nodes[i].data = rest % VALUES;
            rest /= VALUES;
            nodes[i].left = pointer(rest % (most + 1));
            rest /= most + 1;
            nodes[i].right = pointer(rest % (most + 1));
            rest /= most + 1;
        }
        for (int root = 0; root <= most; root++)
            for (tree.size = 0; tree.size <= most; tree.size++) {
                tree.root = pointer(root);
                if (!repOk(&tree) || !isCanonical(&tree, most))
                    continue;
                trees++;
                tryAdd(&tree);
                tryRemove(&tree);
                tryQueries(&tree);
            }
    }
    printf("up to %d nodes over %d values: %d trees\n", most, VALUES, trees);
}

/* Fills in the fields from `slot` on: nothing, a node already met (at most
 * `aliases` times), or the next one. Counts the trees among the graphs. */
static int shapesWith(struct SearchTree *tree, int most, int used, int slot, int aliases);

static int shapesFrom(struct SearchTree *tree, int most, int used, int slot, int aliases,
                      struct Node **field) {
    *field = NULL;
    int shapes = shapesWith(tree, most, used, slot + 1, aliases);
    for (int i = 0; i < used && aliases > 0; i++) {
        *field = &nodes[i];
        shapes += shapesWith(tree, most, used, slot + 1, aliases - 1);
    }
    if (used < most) {
        *field = &nodes[used];
        shapes += shapesWith(tree, most, used + 1, slot + 1, aliases);
    }
    return shapes;
}

static int label(struct Node *node, int next) {
    if (node == NULL)
        return next;
    node->data = label(node->left, next);
    return label(node->right, node->data + 1);
}

static int shapesWith(struct SearchTree *tree, int most, int used, int slot, int aliases) {
    if (slot == 0)
        return shapesFrom(tree, most, used, slot, aliases, &tree->root);
    int node = (slot - 1) / 2;
    if (node < used)
        return shapesFrom(tree, most, used, slot, aliases,
                          slot % 2 == 1 ? &nodes[node].left : &nodes[node].right);
    tree->size = used;
    struct Visited visited;
    visited.count = 0;
    if (isTree(tree->root, &visited)) {
        label(tree->root, 0);
        CHECK(repOk(tree));
        tree->size++;
        CHECK(!repOk(tree));
        return 1;
    }
    for (int i = 0; i < used; i++)
        nodes[i].data = 0;
    CHECK(!repOk(tree));
    return 0;
}

static void countShapes(int most, int aliases) {
    struct SearchTree tree;
    printf("up to %d nodes: %d shapes\n", most, shapesWith(&tree, most, 0, 0, aliases));
}

int main(void) {
    countTrees(3);
    printf("add: invariant broken %d times, postcondition %d times\n", invariantBroken,
           postconditionBroken);
    countShapes(3, 6);
    countShapes(4, 8);
    countShapes(5, 2);
}
