//! An invariant explored once, and methods tested with what it found.

use serde_json::Value as Json;
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use testkit::{Finished, Scratch};

const TREE: &str = r#"
#include <stdbool.h>
#include <stdlib.h>

struct Node { int data; struct Node *left, *right; };
struct SearchTree { struct Node *root; int size; };

/* Distinct nodes, reached once each. */
static bool isTree(const struct Node *node, const struct Node **seen, int *count) {
    if (node == NULL)
        return true;
    for (int i = 0; i < *count; i++)
        if (seen[i] == node)
            return false;
    seen[(*count)++] = node;
    return isTree(node->left, seen, count) && isTree(node->right, seen, count);
}

static bool isOrdered(const struct Node *node, const struct Node *low, const struct Node *high) {
    if (node == NULL)
        return true;
    bool here = (low == NULL || low->data <= node->data)
        & (high == NULL || node->data < high->data);
    return here & isOrdered(node->left, low, node) & isOrdered(node->right, node, high);
}

bool repOk(const struct SearchTree *tree) {
    const struct Node *seen[64];
    int count = 0;
    if (!isTree(tree->root, seen, &count))
        return false;
    return (tree->size == count) & isOrdered(tree->root, NULL, NULL);
}

void add(struct SearchTree *tree, int data) {
    struct Node **place = &tree->root;
    while (*place != NULL)
        place = data < (*place)->data ? &(*place)->left : &(*place)->right;
    struct Node *node = malloc(sizeof *node);
    node->data = data;
    node->left = node->right = NULL;
    *place = node;
#ifndef FORGETS
    tree->size++;
#endif
}

static bool same(const struct Node *one, const struct Node *other) {
    if (one == NULL || other == NULL)
        return one == other;
    return (one->data == other->data) & same(one->left, other->left)
        & same(one->right, other->right);
}

bool isEqual(const struct SearchTree *one, const struct SearchTree *other) {
    return same(one->root, other->root);
}

bool sameSize(const struct SearchTree *one, const struct SearchTree *other) {
    return one->size == other->size;
}

bool isEqualPost(const struct SearchTree *one, const struct SearchTree *other, bool equal) {
    return !equal | (one->size == other->size);
}

void nothing(struct SearchTree *tree) {
    (void)tree;
}

bool repOkThatCounts(struct SearchTree *tree) {
    tree->size++;
    return true;
}

bool repOkThatExits(const struct SearchTree *tree) {
    if (tree->root == NULL)
        exit(3);
    return true;
}

bool repOkThatLoops(const struct SearchTree *tree) {
    int depth = 0;
    for (const struct Node *node = tree->root; node != NULL; node = node->left)
        depth++;
    return depth == tree->size;
}
"#;

struct Scene(Scratch);

impl Scene {
    fn new() -> Scene {
        Scene(Scratch::with(&[("tree.c", TREE)]))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path(name)
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        self.0.write(name, content);
    }

    fn read(&self, name: &str) -> String {
        self.0.read(name)
    }

    fn everypath(&self, command: &str) -> Finished {
        self.0.everypath(command)
    }

    fn build(&self, nodes: usize) {
        let command = format!(
            "stage build tree.c --object SearchTree --invariant repOk --max Node={nodes} -o tree.stage"
        );
        let output = self.everypath(&command);
        assert!(output.success(), "{}", output.stderr);
    }

    /// Valid and explored paths, as the command's JSON has them.
    #[track_caller]
    fn numbers(&self, command: &str) -> (u64, u64) {
        let output = self.everypath(&format!("{command} --json"));
        let json: Json = output.json();
        let number = |name: &str| json["stage"][name].as_u64().expect("it is a number");
        (number("valid"), number("explored"))
    }

    /// What a command that cannot run says.
    #[track_caller]
    fn refusal(&self, command: &str) -> String {
        let output = self.everypath(command);
        assert_eq!(output.status, Some(2), "{}", output.stdout);
        output.stderr.trim_end().to_owned()
    }
}

#[test]
fn trees_and_methods_have_the_published_numbers_of_paths() {
    let scene = Scene::new();
    for (nodes, trees, both, add) in [(3, (9, 72), (29, 92), 29), (4, (23, 268), (99, 344), 99)] {
        let build = format!(
            "stage build tree.c --object SearchTree --invariant repOk --max Node={nodes} -o tree.stage"
        );
        assert_eq!(scene.numbers(&build), trees);
        let once = format!(
            "run tree.c --method add --requires repOk --max Node={nodes} --output once{nodes}"
        );
        assert_eq!(scene.numbers(&once), both);
        let second =
            format!("stage run tree.c --method add --input tree.stage --output two{nodes}");
        assert_eq!(scene.numbers(&second), (add, add));
    }
}

#[test]
fn two_objects_are_all_pairs_and_an_invariant_over_both_leaves_those_it_allows() {
    let scene = Scene::new();
    scene.build(3);
    let pairs = "stage run tree.c --method isEqual --input tree.stage --input tree.stage";
    let all = format!("{pairs} --post isEqualPost --output all");
    assert_eq!(scene.numbers(&all), (81, 81));
    // One tree of none, one of one, two of two and five of three nodes.
    let (valid, _) = scene.numbers(&format!("{pairs} --requires sameSize --output same"));
    assert_eq!(valid, 1 + 1 + 4 + 25);
}

#[test]
fn a_bound_of_a_field_and_of_a_number_leave_what_they_allow() {
    let scene = Scene::new();
    let build = "stage build tree.c --object SearchTree --invariant repOk -o few.stage";
    let lists = format!("{build} --max Node=3 --max Node.left=0");
    assert_eq!(scene.numbers(&lists).0, 4, "trees without a left child");
    let small = format!("{build} --max Node=3 --range SearchTree.size=1..2");
    assert_eq!(scene.numbers(&small).0, 3, "trees of one or two nodes");
    let deep = format!("{build} --max-depth 4");
    let (valid, _) = scene.numbers(&deep);
    assert!(valid > 0, "a depth alone bounds the search");
}

#[test]
fn a_broken_invariant_is_shown_with_its_objects_and_a_unit_test_that_fails() {
    let scene = Scene::new();
    scene.build(1);
    let output =
        scene.everypath("stage run tree.c -D FORGETS --method add --input tree.stage --output out");
    assert_eq!(output.status, Some(1));
    let said = output.stdout;
    for part in [
        "invariant: `repOk` does not hold after `add`",
        "@0 SearchTree { root = null, size = 0 }",
        "afterwards:\n    @0 SearchTree { root = @1, size = 0 }\n    @1 Node { data = 0, left = null, right = null }",
        "\n  drawn: out/test000001.svg\n",
        "unit test: cc -g out/test000001.c",
    ] {
        assert!(said.contains(part), "{said}");
    }
    let picture = scene.read("out/test000001.svg");
    // A tree before, a tree and its new node after.
    assert_eq!(picture.matches("<rect ").count(), 3, "{picture}");
    let error = scene.read("out/test000001.invariant.err");
    assert!(error.contains("out/test000001.svg"));
    let refused = scene.refusal("replay out/test000001.ktest --native");
    assert!(
        refused.contains("the run called `add` on objects made for it"),
        "{refused}"
    );
    let mut compile = Command::new("cc");
    compile.args(["out/test000001.c", "-o", "unit"]);
    Finished::of(compile.current_dir(scene.0.folder())).succeeds();
    let ran = Finished::of(&mut Command::new(scene.path("unit")));
    assert!(!ran.success());
    assert_eq!(ran.stderr, "repOk does not hold\n");
}

#[test]
fn a_suite_is_drawn_as_a_whole_and_object_by_object() {
    let scene = Scene::new();
    scene.build(2);
    let shown = scene.everypath("stage show tree.stage --svg all.svg --dot all.dot -o each");
    assert!(shown.success(), "{}", shown.stderr);
    let read = |name: &str| scene.read(name);
    // No node, one node, two trees of two nodes.
    let all = read("all.svg");
    assert_eq!(all.matches("<rect ").count(), 4 + 1 + 2 + 2);
    assert!(all.contains(">@1.data &lt;=s @2.data<"), "{all}");
    assert_eq!(read("all.dot").matches("subgraph").count(), 4);
    assert_eq!(read("each/line000003.svg").matches("<rect ").count(), 2);
    assert_eq!(read("each/line000003.dot").matches("subgraph").count(), 1);
    let refused = scene.refusal("stage show tree.stage --svg none/all.svg");
    assert!(
        refused.starts_with("error: cannot write none/all.svg: "),
        "{refused}"
    );
}

/// A suite as a person leaves it who edits it: with neither count nor checksum.
fn edited(suite: &str) -> String {
    let (header, body) = suite.split_once('\n').expect("a suite has a header");
    let mut header: serde_json::Map<String, Json> =
        serde_json::from_str(header).expect("the header is JSON");
    header.remove("checksum").expect("it has a checksum");
    header.remove("count").expect("it has a count");
    format!("{}\n{body}", Json::Object(header))
}

#[test]
fn a_suite_that_was_cut_off_is_refused() {
    let scene = Scene::new();
    scene.build(3);
    let suite = scene.read("tree.stage");
    let lines: Vec<&str> = suite.lines().collect();
    scene.write("tree.stage", lines[..5].join("\n"));
    let refused = scene.refusal("stage run tree.c --method add --input tree.stage");
    assert_eq!(
        refused,
        "error: tree.stage: the suite has 4 objects, and had 9 when it was written; build it \
         again, or leave \"count\" and \"checksum\" out of its first line if it was edited"
    );
}

#[test]
fn a_corrupt_line_costs_that_line_and_is_named() {
    let scene = Scene::new();
    scene.build(3);
    let file = scene.path("tree.stage");
    let suite = fs::read_to_string(&file).expect("the suite is there");
    let suite = edited(&suite);
    let mut lines: Vec<&str> = suite.lines().collect();
    let cut = &lines[3][..20];
    lines[3] = cut;
    fs::write(&file, lines.join("\n")).expect("the suite can be written");
    let command = "stage run tree.c --method isEqual --input tree.stage --input tree.stage";
    let output = scene.everypath(&format!("{command} --output out"));
    assert!(output.success());
    let said = output.stderr;
    assert!(
        said.contains("warning: tree.stage: line 4: it is no solution: EOF while parsing a string at column 20"),
        "{said}"
    );
    let numbers = scene.numbers(&format!("{command} --output again"));
    assert_eq!(numbers, (64, 64), "eight trees are left");
}

#[test]
fn a_solution_that_is_none_is_left_out_and_named() {
    let scene = Scene::new();
    let made = r#"{"schema":"everypath-stage","version":1,"object":"SearchTree","invariant":"repOk"}
{"objects":[{"type":"SearchTree","fields":{"root":null,"size":0}}]}
{"objects":[{"type":"SearchTree","fields":{"root":null,"size":3}}]}
"#;
    scene.write("made.stage", made);
    let output = scene.everypath("stage run tree.c --method add --input made.stage --output out");
    assert!(output.success(), "{}", output.stderr);
    assert_eq!(
        output.stderr,
        "note: made.stage: line 3 does not fit this program and is left out: \
         it does not satisfy the invariant\n"
    );
}

#[test]
fn suites_that_do_not_fit_are_refused() {
    let scene = Scene::new();
    scene.build(1);
    let run = "stage run tree.c --method add --input";
    let file = scene.path("tree.stage");
    let suite = fs::read_to_string(&file).expect("the suite is there");
    let write = |name: &str, text: String| {
        scene.write(name, text);
    };
    write("other.stage", edited(&suite).replace("SearchTree", "Heap"));
    write("new.stage", suite.replace("\"version\":1", "\"version\":2"));
    write("empty.stage", String::new());
    assert_eq!(
        scene.refusal(&format!("{run} other.stage")),
        "error: other.stage: the suite is of Heap, and SearchTree is wanted"
    );
    assert_eq!(
        scene.refusal(&format!("{run} new.stage")),
        "error: new.stage: line 1: the suite is of version 2, and this program reads version 1; build it again"
    );
    assert_eq!(
        scene.refusal(&format!("{run} empty.stage")),
        "error: empty.stage: line 1: it does not begin with the header of a suite: the file is empty"
    );
    assert_eq!(
        scene.refusal("stage run tree.c --method isEqual --input tree.stage"),
        "error: `isEqual` takes 2 pointers to objects, and 1 suites are given; give an --input for each"
    );
    assert!(
        scene
            .refusal("stage build tree.c --object Tree --invariant repOk -o x.stage")
            .starts_with("error: the invariant `repOk` does not take a pointer to Tree")
    );
}

#[test]
fn bounds_that_bound_nothing_are_refused() {
    let scene = Scene::new();
    let object = "tree.c --object SearchTree --invariant repOk -o x.stage";
    for (bound, message) in [
        (
            "--max Leaf=3",
            "a bound is for `Leaf`, and the object has no such part",
        ),
        (
            "--max Node.up=2",
            "a bound is for `Node.up`, and the object has no such field",
        ),
        (
            "--range Node.left=0..3",
            "`Node.left` is a pointer and has no range of values; bound it with --max Node.left=2",
        ),
        (
            "--max Node.data=3",
            "`Node.data` is a number and leads to no objects; bound it with --range Node.data=0..9",
        ),
    ] {
        let refused = scene.refusal(&format!("stage build {object} --max Node=2 {bound}"));
        assert_eq!(refused, format!("error: {message}"));
    }
    assert_eq!(
        scene.refusal(&format!("stage enumerate {object} --values 0..1")),
        "error: there is no end to objects with any number of Node; bound them with --max Node=3"
    );
}

#[test]
fn different_structures_of_one_name_are_not_mixed_up() {
    let scene = Scene::new();
    let other = "struct Node { double weight; };\nstruct Node global;\n";
    scene.write("other.c", other);
    let build = "stage build tree.c other.c --object SearchTree --invariant repOk -o x.stage";
    assert_eq!(
        scene.refusal(build),
        "error: there are different structures `Node` in the program; give one another name"
    );
}

#[test]
fn a_suite_outlives_changes_of_anything_but_the_invariant() {
    let scene = Scene::new();
    scene.build(2);
    let other = TREE.replace(
        "void add",
        "\n\nint unrelated(void) { return 1; }\nvoid add",
    );
    scene.write("tree.c", other);
    let run = "stage run tree.c --method add --input tree.stage";
    let output = scene.everypath(&format!("{run} --output reused"));
    assert_eq!(
        output.stderr,
        "note: tree.stage: the code of `repOk` is unchanged, 4 solutions reused\n"
    );
    let stricter = TREE.replace("low->data <= node->data", "low->data < node->data");
    scene.write("tree.c", stricter);
    assert_eq!(
        scene.refusal(run),
        "error: tree.stage: the code of `repOk` is not what the suite was built of; build it anew with --rebuild"
    );
    let output = scene.everypath(&format!("{run} --rebuild --output anew"));
    assert_eq!(
        output.stderr,
        "note: tree.stage: built anew, 4 solutions of `repOk`\n"
    );
}

#[test]
fn names_are_no_change_of_the_invariant_and_its_data_is_one() {
    let scene = Scene::new();
    let program = |before: &str, limit: &str, own: &str| {
        let text = format!(
            r#"#include <stdbool.h>
#include <string.h>
{before}
struct Word {{ int length; }};
static const int limits[] = {{1, {limit}}};
static bool isShort(int length) {{ return length < limits[1]; }}
bool repOk(const struct Word *{own}) {{
    return isShort({own}->length) && {own}->length >= (int)strlen("ab");
}}
void use(struct Word *word) {{ (void)word; }}
"#
        );
        scene.write("word.c", text);
    };
    let run = "stage run word.c --method use --input word.stage --output";
    program("", "5", "word");
    let build = "stage build word.c --object Word --invariant repOk -o word.stage";
    scene.everypath(build).succeeds();
    program(
        "const char *greet(void) { return \"hello\"; }\nstatic int isLong(void) { return 1; }\n\
         int other(void) { return isLong() + greet()[0]; }",
        "5",
        "it",
    );
    let output = scene.everypath(&format!("{run} reused"));
    assert_eq!(
        output.stderr,
        "note: word.stage: the code of `repOk` is unchanged, 1 solutions reused\n"
    );
    program("", "6", "word");
    let refused = scene.refusal(&format!("{run} refused"));
    assert!(
        refused.contains("is not what the suite was built of"),
        "{refused}"
    );
}

#[test]
fn a_line_that_other_structures_have_is_left_out_and_named() {
    let scene = Scene::new();
    let made = r#"{"schema":"everypath-stage","version":1,"object":"SearchTree","invariant":"repOk"}
{"objects":[{"type":"SearchTree","fields":{"root":null,"size":0}}]}
{"objects":[{"type":"SearchTree","fields":{"root":null,"count":0}}]}
{"objects":[{"type":"SearchTree","fields":{"root":5,"size":0}}]}
{"objects":[{"type":"SearchTree","fields":{"root":"@0","size":0}}]}
{"objects":[{"type":"SearchTree","fields":{"root":null,"size":4294967296}}]}
{"objects":[{"type":"SearchTree","fields":{"root":null,"size":0}},{"type":"Leaf"}]}
{"objects":[{"type":"Node","fields":{"data":0}}]}
"#;
    scene.write("made.stage", made);
    let output = scene.everypath("stage run tree.c --method add --input made.stage --output out");
    assert!(output.success(), "{}", output.stderr);
    let expected: String = [
        "3 does not fit this program and is left out: it has a field `SearchTree.count`, and there is no such",
        "4 does not fit this program and is left out: it has a number for the pointer `SearchTree.root`",
        "5 does not fit this program and is left out: it has `SearchTree.root` lead to a `SearchTree`",
        "6 does not fit this program and is left out: it has 4294967296 for `SearchTree.size`, which cannot hold it",
        "7 does not fit this program and is left out: it has a `Leaf`, which the object cannot lead to",
        "8 does not fit this program and is left out: it begins with a `Node`, which is no `SearchTree`",
    ]
    .map(|line| format!("note: made.stage: line {line}\n"))
    .concat();
    assert_eq!(output.stderr, expected);
}

#[test]
fn a_depth_alone_bounds_the_search_and_is_told() {
    let scene = Scene::new();
    let build = "stage build tree.c --object SearchTree --invariant repOk -o some.stage";
    let limit = "not followed to their end: there may be more";
    let output = scene.everypath(&format!("{build} --max-depth 5"));
    assert!(output.success(), "{}", output.stderr);
    let said = output.stdout;
    assert!(said.contains(limit), "{said}");
    let shown = scene.everypath("stage show some.stage").stdout;
    assert!(shown.contains("; there may be more"), "{shown}");
    let (valid, _) = scene.numbers("stage run tree.c --method nothing --input some.stage");
    assert!(valid > 0, "what was found can be used");
    let output = scene.everypath("run tree.c --method add --requires repOk --max-depth 5");
    // Trees that have more nodes than the invariant has room for are an error.
    assert_ne!(output.status, Some(2), "{}", output.stderr);
    let said = output.stdout;
    assert!(said.contains(limit), "{said}");
}

#[test]
fn what_is_no_invariant_is_told() {
    let scene = Scene::new();
    let build = "stage build tree.c --object SearchTree -o x.stage --max Node=2";
    let output = scene.everypath(&format!("{build} --invariant repOkThatCounts"));
    assert_eq!(output.status, Some(1));
    let said = output.stderr;
    let changes = "error: invariant: the invariant `repOkThatCounts` changes `size` of SearchTree";
    assert!(said.starts_with(changes), "{said}");
    let output = scene.everypath(&format!("{build} --invariant repOkThatExits"));
    assert_eq!(output.status, Some(1));
    assert_eq!(
        output.stderr,
        "error: invariant: it ends the program, with status 3\n  @0 SearchTree { root = null, size = 0 }\n"
    );
    let loops = format!("{build} --invariant repOkThatLoops --invariant-budget 100000");
    let output = scene.everypath(&loops);
    assert_eq!(output.status, Some(1));
    let said = output.stderr;
    let endless = "error: invariant: the invariant does not end within 100000 instructions";
    assert!(said.starts_with(endless), "{said}");
}

#[test]
fn a_method_that_does_not_end_is_an_error_with_its_input() {
    let scene = Scene::new();
    let endless = "int count(const struct SearchTree *tree) {\n    int found = 0;\n    \
                   for (const struct Node *at = tree->root; at; at = at->left)\n        \
                   if (at->right)\n            for (;;)\n                found ^= 1;\n    \
                   return found;\n}\n\
                   void bend(struct SearchTree *tree) {\n    \
                   if (tree->root && tree->root->left)\n        \
                   tree->root->left->left = tree->root;\n}\n\
                   bool descends(const struct SearchTree *tree) {\n    \
                   for (const struct Node *at = tree->root; at; at = at->left) {}\n    \
                   return true;\n}\n";
    scene.write("tree.c", format!("{TREE}{endless}"));
    scene.build(2);
    let run = "stage run tree.c --input tree.stage --method-budget 20000 --invariant-budget 20000";
    let output = scene.everypath(&format!("{run} --method count --output count"));
    assert_eq!(output.status, Some(1), "{}", output.stderr);
    let said = output.stdout;
    assert!(said.contains("endless"), "{said}");
    assert!(
        said.contains("`count` does not end within 20000 instructions"),
        "{said}"
    );
    assert!(
        said.contains("@1 Node { data = 0, left = null, right = @2 }"),
        "{said}"
    );
    let output = scene.everypath(&format!(
        "{run} --method bend --trust-method --post descends --output bend"
    ));
    assert_eq!(output.status, Some(1), "{}", output.stderr);
    let said = output.stdout;
    assert!(
        said.contains(
            "what has to hold after `bend` is not decided within 20000 instructions; \
             the objects may form a cycle"
        ),
        "{said}"
    );
}

#[test]
fn a_pointer_in_a_number_is_kept_as_a_place_and_never_as_an_address() {
    let scene = Scene::new();
    let packed = |before: &str| {
        format!(
            "#include <stdbool.h>\n#include <stdint.h>\n{before}\n\
             struct Node {{ uint64_t parent_color; struct Node *child; }};\n\
             struct Chain {{ struct Node *top; }};\n\
             bool repOk(const struct Chain *chain) {{\n    \
             const struct Node *parent = 0;\n    int count = 0;\n    \
             for (const struct Node *at = chain->top; at; at = at->child) {{\n        \
             if (++count > 3 || (at->parent_color & ~(uint64_t)1) != (uint64_t)parent)\n            \
             return false;\n        parent = at;\n    }}\n    return true;\n}}\n\
             void recolour(struct Chain *chain) {{ if (chain->top) chain->top->parent_color |= 1; }}\n"
        )
    };
    scene.write("chain.c", packed(""));
    let build = "stage build chain.c --object Chain --invariant repOk --max Node=3 -o";
    scene.everypath(&format!("{build} chain.stage")).succeeds();
    let suite = scene.read("chain.stage");
    assert!(suite.contains(r#""parent_color":"@1"#), "{suite}");
    // Code that is nobody's business moves every address, and changes nothing.
    scene.write(
        "chain.c",
        packed("char room[4000] = {1};\nint other(void) { return room[5]; }"),
    );
    scene.everypath(&format!("{build} moved.stage")).succeeds();
    assert_eq!(scene.read("moved.stage"), suite);
    let run = "stage run chain.c --method recolour --input chain.stage --output out";
    assert_eq!(scene.numbers(run), (4, 4));
}

#[test]
fn following_solutions_asks_the_solver_nothing() {
    let scene = Scene::new();
    scene.build(4);
    let command = "stage run tree.c --method nothing --trust-method --input tree.stage";
    let output = scene.everypath(&format!("{command} --output out --json"));
    let json: Json = output.json();
    assert_eq!(json["paths"]["completed"], 23);
    assert_eq!(json["solver"]["queries"], 0);
}

/// Search trees of so many nodes with values from `low` up to, not including,
/// `high`: smaller ones on the left, equal and larger ones on the right.
fn trees(nodes: u64, low: u64, high: u64) -> u64 {
    if nodes == 0 {
        return 1;
    }
    let root = |value: u64| -> u64 {
        let left = 0..nodes;
        left.map(|left| trees(left, low, value) * trees(nodes - 1 - left, value, high))
            .sum()
    };
    (low..high).map(root).sum()
}

#[test]
fn enumeration_finds_every_tree_once() {
    let scene = Scene::new();
    let command = "stage enumerate tree.c --object SearchTree --invariant repOk --max Node=3 \
                   --values 0..3 -o all.stage";
    let (valid, _) = scene.numbers(command);
    let counted: u64 = (0..=3).map(|nodes| trees(nodes, 0, 4)).sum();
    assert_eq!(valid, counted);
    let suite = scene.read("all.stage");
    let mut solutions: Vec<Json> = suite
        .lines()
        .skip(1)
        .map(|line| serde_json::from_str::<Json>(line).expect("it is JSON")["objects"].clone())
        .collect();
    solutions.sort_by_key(ToString::to_string);
    solutions.dedup();
    assert_eq!(solutions.len() as u64, counted);
    let follow = "stage run tree.c --method nothing --input all.stage --output out";
    assert_eq!(scene.numbers(follow), (counted, counted));
}
