//! The suites that ship with the structures of `examples/staged/lib`: each is what
//! its invariant gives now, and has as many objects as there are by counting.
//! `BLESS=1` builds them anew.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::{env, fs};

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
    let folder = tempfile::tempdir().expect("a temporary directory can be made");
    for (name, object, invariant, bounds, count) in SUITES {
        let shipped = library().join(format!("{name}.stage"));
        let built = folder.path().join(name);
        let output = everypath(&format!(
            "stage build {}/{name}.c --object {object} --invariant {invariant} {bounds} -o {}",
            library().display(),
            built.display()
        ));
        assert!(output.status.success(), "{}", text(&output.stderr));
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
    let folder = tempfile::tempdir().expect("a temporary directory can be made");
    let output = everypath(&format!(
        "stage run {0}/../search_tree.c --method add --input {0}/search_tree.stage --output {1}/out",
        library().display(),
        folder.path().display()
    ));
    let said = text(&output.stderr);
    assert!(
        said.ends_with("the code of `repOk` is unchanged, 9 solutions reused\n"),
        "{said}"
    );
    let summary = text(&output.stdout);
    assert!(
        summary.contains("\n29 of 29 explored paths are of valid objects\n"),
        "{summary}"
    );
}

#[test]
fn the_driver_among_the_examples_finds_its_suite_and_replays_natively() {
    let folder = tempfile::tempdir().expect("a temporary directory can be made");
    let out = folder.path().join("out").display().to_string();
    let run = everypath(&format!(
        "run {}/../driver.c --output {out}",
        library().display()
    ));
    let said = text(&run.stdout);
    assert!(run.status.success(), "{said}{}", text(&run.stderr));
    let replayed = everypath(&format!("replay {out} --native"));
    let said = text(&replayed.stdout);
    assert!(replayed.status.success(), "{said}");
    assert!(said.contains(", 0 divergences; "), "{said}");
}

fn everypath(command: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_everypath"))
        .args(command.split(' '))
        .output()
        .expect("everypath can be run")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn library() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/staged/lib");
    root.canonicalize().expect("the library is there")
}
