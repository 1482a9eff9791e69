//! The suites that ship with the structures of `examples/staged/lib`: each is what
//! its invariant gives now, and has as many objects as there are by counting.
//! `BLESS=1` builds them anew.

use std::path::PathBuf;
use std::{env, fs};
use testkit::{Scratch, project};

/// A structure, its invariant, the bounds of its suite, and how many objects there
/// are in them.
const SUITES: [(&str, &str, &str, &str, usize); 13] = [
    ("singly_linked_list", "List", "repOk", "--max Link=3", 4),
    (
        "doubly_linked_list",
        "DoublyLinkedList",
        "repOk",
        "--max Link=3",
        4,
    ),
    ("circular_list", "CircularList", "repOk", "--max Link=3", 4),
    ("sorted_list", "SortedList", "listRepOk", "--max Link=3", 4),
    // Shapes of binary trees: 1, 1, 2 and 5 of up to three nodes.
    ("binary_tree", "BinaryTree", "repOk", "--max Node=3", 9),
    ("search_tree", "SearchTree", "repOk", "--max Node=3", 9),
    // Of three nodes only the full tree is balanced; a fourth hangs below a leaf.
    (
        "avl_tree",
        "AvlTree",
        "repOk",
        "--max Node=4",
        1 + 1 + 2 + 1 + 4,
    ),
    (
        "red_black_tree",
        "RedBlackTree",
        "repOk",
        "--max Node=4",
        1 + 1 + 2 + 1 + 4,
    ),
    (
        "heap_array",
        "BinaryHeap",
        "repOk",
        "--range BinaryHeap.size=0..5",
        6,
    ),
    ("stack", "Stack", "repOk", "--max Frame=3", 4),
    ("queue", "Queue", "repOk", "--max Cell=3", 4),
    // No vertex; one with a loop or not; two with no edge, one of four, two from one
    // vertex in either order, one from each.
    (
        "graph",
        "Graph",
        "repOk",
        "--max Vertex=2 --max Edge=2",
        1 + 2 + (1 + 4 + 4 + 4),
    ),
    // Two entries in two of four chains, or in one.
    (
        "hash_table",
        "HashTable",
        "repOk",
        "--max Entry=2",
        1 + 4 + (6 + 4),
    ),
];

#[test]
fn every_shipped_suite_is_what_its_invariant_gives() {
    let folder = Scratch::new();
    for (name, object, invariant, bounds, count) in SUITES {
        let shipped = library().join(format!("{name}.stage"));
        let built = folder.path(name);
        let output = folder.everypath(&format!(
            "stage build {}/{name}.c --object {object} --invariant {invariant} {bounds} -o {}",
            library().display(),
            built.display()
        ));
        assert!(output.success(), "{}", output.stderr);
        let built = fs::read_to_string(built).expect("the suite was built");
        assert_eq!(built.lines().count(), 1 + count, "{name}");
        if env::var_os("BLESS").is_some() {
            fs::write(&shipped, &built).expect("the suite can be written");
        }
        let shipped = fs::read_to_string(shipped).unwrap_or_default();
        assert_eq!(shipped, built, "{name}: `make suites` builds it anew");
    }
}

#[test]
fn a_shipped_suite_serves_programs_that_use_the_structure() {
    let folder = Scratch::new();
    let output = folder.everypath(&format!(
        "stage run {0}/../search_tree.c --method add --input {0}/search_tree.stage --output {1}/out",
        library().display(),
        folder.folder().display()
    ));
    let said = output.stderr;
    assert!(
        said.ends_with("the code of `repOk` is unchanged, 9 solutions reused\n"),
        "{said}"
    );
    let summary = output.stdout;
    assert!(
        summary.contains("\n29 of 29 explored paths are of valid objects\n"),
        "{summary}"
    );
}

#[test]
fn the_driver_among_the_examples_finds_its_suite_and_replays_natively() {
    let folder = Scratch::new();
    let out = folder.path("out").display().to_string();
    let run = folder.everypath(&format!(
        "run {}/../driver.c --output {out}",
        library().display()
    ));
    run.succeeds();
    let replayed = folder.everypath(&format!("replay {out} --native"));
    let said = replayed.succeeds().stdout;
    assert!(said.contains(", 0 divergences; "), "{said}");
}

fn library() -> PathBuf {
    project("examples/staged/lib")
}
