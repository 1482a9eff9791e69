/* sql: runs one statement of a subset of SQL on a small table of cities.
 *
 *   everypath run sql.c --sym-stdin 28
 *   everypath run sql.c --sym-stdin 44 --grammar sql.bnf
 *
 *   select * | count | COLUMN, .. [where CONDITION] [by COLUMN [desc]] [limit N]
 *   delete [where CONDITION]
 *   CONDITION:  COLUMN = < > NUMBER or 'text', joined by and, or, not, ( )
 *
 * A statement is compiled to a tree, and the tree is run on each row.
 */
#include <ctype.h>
#include <err.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct row {
    char name[12];
    long area;
    long year;
};

static struct row table[] = {
    {"Lyon", 48, -43}, {"Ulm", 119, 854}, {"Oslo", 454, 1040}, {"Rome", 1285, -753}};

enum { ROWS = sizeof table / sizeof *table, COLUMNS = 3, MOST_NODES = 4 };

static const char *const columns[COLUMNS] = {"name", "area", "year"};

/* Words, numbers, texts and single characters. */
enum token { END, WORD, NUMBER, TEXT, OTHER };

static enum token token;
static char word[16];
static long number;
static int ahead = ' ';

static void fail(const char *what) {
    errx(1, "%s, at `%s`", what, token == END ? "the end" : word);
}

static void add_letter(size_t *length, int c) {
#ifndef BUG_1 /* out-of-bounds-write */
    if (*length + 1 == sizeof word)
        errx(1, "a word is too long");
#endif
    word[(*length)++] = (char)c;
}

static void read_text(void) {
    size_t length = 0;
    while ((ahead = getchar()) != '\'') {
        if (ahead == EOF)
            errx(1, "a text does not end");
        add_letter(&length, ahead);
    }
    ahead = getchar();
    word[length] = '\0';
    token = TEXT;
}

static void advance(void) {
    size_t length = 0;
    while (isspace(ahead))
        ahead = getchar();
    if (ahead == EOF) {
        token = END;
        return;
    }
    if (ahead == '\'') {
        read_text();
        return;
    }
    token = isdigit(ahead) ? NUMBER : isalpha(ahead) ? WORD : OTHER;
    do {
        add_letter(&length, ahead);
        ahead = getchar();
    } while (token != OTHER && isalnum(ahead));
    word[length] = '\0';
    if (token == NUMBER)
        number = atol(word);
}

static bool is(const char *what) {
    return (token == WORD || token == OTHER) && strcasecmp(word, what) == 0;
}

static bool take(const char *what) {
    if (!is(what))
        return false;
    advance();
    return true;
}

/* Conditions. */

enum kind { AND, OR, NOT, COMPARE };

struct node {
    enum kind kind;
    struct node *left;
    struct node *right;
    int column;
    char relation;
    long number;
    char text[16];
};

static struct node nodes[MOST_NODES];
static int node_count;

static struct node *new_node(enum kind kind, struct node *left, struct node *right) {
#ifdef BUG_2 /* out-of-bounds-write */
    if (node_count > MOST_NODES)
#else
    if (node_count == MOST_NODES)
#endif
        fail("the condition is too large");
    nodes[node_count] = (struct node){.kind = kind, .left = left, .right = right};
    return &nodes[node_count++];
}

static int column(void) {
    for (int i = 0; i < COLUMNS; i++) {
        if (take(columns[i]))
            return i;
    }
    fail("a column is expected");
    return -1;
}

static struct node *condition(void);

static struct node *comparison(void) {
    struct node *node = new_node(COMPARE, NULL, NULL);
    node->column = column();
    node->relation = *word;
    if (!take("=") && !take("<") && !take(">"))
        fail("=, < or > is expected");
    bool minus = take("-");
    enum token wanted = node->column == 0 ? TEXT : NUMBER;
    if (token != wanted || (minus && wanted == TEXT))
        fail(wanted == TEXT ? "a text is expected" : "a number is expected");
    node->number = minus ? -number : number;
    strcpy(node->text, word);
    advance();
    return node;
}

static struct node *primary(void) {
    if (take("not"))
        return new_node(NOT, primary(), NULL);
    if (take("(")) {
        struct node *inner = condition();
        if (!take(")"))
            fail("a `)` is missing");
        return inner;
    }
    return comparison();
}

static struct node *conjunction(void) {
    struct node *left = primary();
    while (take("and"))
        left = new_node(AND, left, primary());
    return left;
}

static struct node *condition(void) {
    struct node *left = conjunction();
    while (take("or"))
        left = new_node(OR, left, conjunction());
    return left;
}

static long field(const struct row *row, int column) {
    return column == 1 ? row->area : row->year;
}

static long compare(const struct row *row, const struct node *node) {
    if (node->column == 0)
        return strcmp(row->name, node->text);
    long value = field(row, node->column);
    return (value > node->number) - (value < node->number);
}

static bool holds(const struct node *node, const struct row *row) {
    if (!node)
        return true;
    if (node->kind == AND)
        return holds(node->left, row) && holds(node->right, row);
    if (node->kind == OR)
        return holds(node->left, row) || holds(node->right, row);
    if (node->kind == NOT)
        return !holds(node->left, row);
    long order = compare(row, node);
    return node->relation == '=' ? order == 0 : node->relation == '<' ? order < 0 : order > 0;
}

/* Statements. */

static struct node *where(void) {
    return take("where") ? condition() : NULL;
}

struct selection {
    int columns[COLUMNS];
    int column_count;
    bool counts;
    struct node *where;
    int order; /* -1: none */
    bool descending;
    long limit;
};

static void read_columns(struct selection *selection) {
    if (take("*")) {
        for (int i = 0; i < COLUMNS; i++)
            selection->columns[selection->column_count++] = i;
        return;
    }
    if (take("count")) {
        selection->counts = true;
        return;
    }
    do {
        if (selection->column_count == COLUMNS)
            fail("too many columns");
        selection->columns[selection->column_count++] = column();
    } while (take(","));
}

static void expect_end(void) {
    take(";");
    if (token != END)
        fail("something stands after the statement");
}

static struct selection read_selection(void) {
    struct selection selection = {.order = -1, .limit = ROWS};
    read_columns(&selection);
    selection.where = where();
    if (take("by")) {
        selection.order = column();
        selection.descending = take("desc");
    }
    if (take("limit")) {
        if (token != NUMBER)
            fail("a number is expected");
        selection.limit = number;
        advance();
    }
    expect_end();
    return selection;
}

static int order(const struct row *a, const struct row *b, int column) {
    if (column == 0)
        return strcmp(a->name, b->name);
    long one = field(a, column), other = field(b, column);
    return (one > other) - (one < other);
}

static void sort(const struct row **rows, int count, const struct selection *selection) {
    for (int i = 1; i < count; i++) {
        const struct row *row = rows[i];
        int at = i;
        for (; at > 0; at--) {
            int before = order(rows[at - 1], row, selection->order);
            if (selection->descending ? before >= 0 : before <= 0)
                break;
            rows[at] = rows[at - 1];
        }
        rows[at] = row;
    }
}

static void put_row(const struct row *row, const struct selection *selection) {
    for (int i = 0; i < selection->column_count; i++) {
        if (i > 0)
            putchar('|');
        if (selection->columns[i] == 0)
            printf("%s", row->name);
        else
            printf("%ld", field(row, selection->columns[i]));
    }
    putchar('\n');
}

static void run_select(void) {
    struct selection selection = read_selection();
    const struct row *found[ROWS];
    int count = 0;
    for (int i = 0; i < ROWS; i++) {
        if (holds(selection.where, &table[i]))
            found[count++] = &table[i];
    }
    if (selection.counts) {
        printf("%d\n", count);
        return;
    }
    if (selection.order >= 0)
        sort(found, count, &selection);
#ifdef BUG_3 /* out-of-bounds-read */
    for (int i = 0; i < selection.limit; i++)
#else
    for (int i = 0; i < count && i < selection.limit; i++)
#endif
        put_row(found[i], &selection);
}

static void run_delete(void) {
    struct node *condition = where();
    int kept = 0;
    expect_end();
    for (int i = 0; i < ROWS; i++) {
        if (!holds(condition, &table[i]))
            table[kept++] = table[i];
    }
    printf("%d rows deleted, %d kept\n", ROWS - kept, kept);
}

int main(void) {
    advance();
    if (take("select"))
        run_select();
    else if (take("delete"))
        run_delete();
    else
        fail("select or delete is expected");
    return 0;
}
