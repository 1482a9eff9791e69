//! Ctrl-C in the middle of the hardest thing each command can be given: it ends by
//! itself, and what was finished is whole and on disk. How soon is not measured here;
//! a command that does not stop at all is ended by the test command's own limit.

use testkit::{Finished, Scratch};

/// Interrupts a command in the middle of its work.
#[track_caller]
fn interrupted(scratch: &Scratch, line: &str) -> Finished {
    let mut running = scratch.start(line);
    running.until_busy();
    running.interrupt()
}

#[test]
fn fuzz_keeps_the_inputs_it_has_written() {
    // Every length and every letter is a path of its own: there is no end to it.
    let program = r#"
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    unsigned long letters = 0, hash = 0;
    for (int c; (c = getchar()) != EOF; hash = hash * 33 + c)
        if (c >= 'a' && c <= 'z')
            letters++;
    if (letters > 3 && hash == 1234567890123)
        abort();
    return 0;
}
"#;
    let scratch = Scratch::with(&[("letters.c", program)]);
    let mut running = scratch.start("fuzz letters.c --max-length 4000 --out out --json");
    running.until(|_| !scratch.names("out/inputs").is_empty());
    let finished = running.interrupt();
    assert_eq!(finished.json()["outcome"], "interrupted");
    assert_eq!(finished.status, Some(0), "{}", finished.said());
    assert!(!scratch.names("out/inputs").is_empty());
}

#[test]
fn model_explore_ends_while_its_solver_searches() {
    let model = "channel a(Int, Int, Int)
automaton A {
    var x, y, z: Int
    initial i
    state e
    t: i -> u, a?(x, y, z)
    powers: u -> e when x > 0 and y > 0 and z > 0 and x*x*x*x*x + y*y*y*y*y = z*z*z*z*z, tau
}\n";
    let line = "model explore powers.iosts --json";
    let scratch = Scratch::with(&[("powers.iosts", model)]);
    let finished = interrupted(&scratch, line);
    assert_eq!(finished.json()["outcome"], "stopped", "{}", finished.said());
}

#[test]
fn stage_build_writes_the_objects_it_has_found() {
    let tree = r#"
#include <stdbool.h>
#include <stddef.h>
struct Node { int data; struct Node *left, *right; };
struct Tree { struct Node *root; int size; };
static bool isTree(const struct Node *node, const struct Node **seen, int *count) {
    if (node == NULL)
        return true;
    for (int i = 0; i < *count; i++)
        if (seen[i] == node)
            return false;
    seen[(*count)++] = node;
    return isTree(node->left, seen, count) && isTree(node->right, seen, count);
}
bool repOk(const struct Tree *tree) {
    const struct Node *seen[64];
    int count = 0;
    return isTree(tree->root, seen, &count) && tree->size == count;
}
int main(void) { return 0; }
"#;
    let scratch = Scratch::with(&[("tree.c", tree)]);
    let line = "stage build tree.c --object Tree --invariant repOk --max Node=40 -o tree.stage";
    let finished = interrupted(&scratch, line);
    assert_ne!(
        finished.status,
        None,
        "it ends by itself\n{}",
        finished.said()
    );
    let (suite, complaints) =
        staged::Suite::read(&scratch.read("tree.stage")).expect("the suite can be read");
    assert!(!suite.solutions.is_empty());
    assert!(complaints.is_empty());
}
