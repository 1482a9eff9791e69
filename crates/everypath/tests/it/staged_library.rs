//! The suites that ship with the structures of `examples/staged/lib`: each is what
//! its invariant gives now, and has as many objects as there are by counting.
//! `BLESS=1` builds them anew.

use std::path::PathBuf;
use std::process::Command;
use std::{env, fs};
use testkit::{Finished, Scratch, project};

/// A structure, its invariant, the bounds of its suite, and how many objects there
/// are in them.
const SUITES: [(&str, &str, &str, &str, usize); 36] = [
    ("singly_linked_list.c", "List", "repOk", "--max Link=3", 4),
    (
        "doubly_linked_list.c",
        "DoublyLinkedList",
        "repOk",
        "--max Link=3",
        4,
    ),
    (
        "circular_list.c",
        "CircularList",
        "repOk",
        "--max Link=3",
        4,
    ),
    (
        "sorted_list.c",
        "SortedList",
        "listRepOk",
        "--max Link=3",
        4,
    ),
    // Shapes of binary trees: 1, 1, 2 and 5 of up to three nodes.
    ("binary_tree.c", "BinaryTree", "repOk", "--max Node=3", 9),
    ("search_tree.c", "SearchTree", "repOk", "--max Node=3", 9),
    // Of three nodes only the full tree is balanced; a fourth hangs below a leaf.
    (
        "avl_tree.c",
        "AvlTree",
        "repOk",
        "--max Node=4",
        1 + 1 + 2 + 1 + 4,
    ),
    (
        "red_black_tree.c",
        "RedBlackTree",
        "repOk",
        "--max Node=4",
        1 + 1 + 2 + 1 + 4,
    ),
    // Here the two children of three nodes are both red or both black; of four nodes the one
    // that has a child is black, as is its sibling.
    (
        "red_black_parents.c",
        "RedBlackTree",
        "repOk",
        "--max Node=4",
        1 + 1 + 2 + 2 + 4,
    ),
    (
        "heap_array.c",
        "BinaryHeap",
        "repOk",
        "--range BinaryHeap.size=0..5",
        6,
    ),
    ("stack.c", "Stack", "repOk", "--max Frame=3", 4),
    ("queue.c", "Queue", "repOk", "--max Cell=3", 4),
    // No vertex; one with a loop or not; two with no edge, one of four, two from one
    // vertex in either order, one from each.
    (
        "graph.c",
        "Graph",
        "repOk",
        "--max Vertex=2 --max Edge=2",
        1 + 2 + (1 + 4 + 4 + 4),
    ),
    // Two entries in two of four chains, or in one.
    (
        "hash_table.c",
        "HashTable",
        "repOk",
        "--max Entry=2",
        1 + 4 + (6 + 4),
    ),
    // The rest is of memory that is more than pointers to structures.
    ("intrusive_list.c", "Bag", "repOk", "--max Item=3", 4),
    ("tail_queue.c", "Jobs", "repOk", "--max Job=3", 4),
    ("hash_list.c", "Head", "repOk", "--max Node=3", 4),
    ("sentinel_list.c", "Ring", "repOk", "--max Node=3", 4),
    // No slot; one that is used or not; two with neither used, one of them, or both, each
    // with a key that belongs where it is or in the other slot.
    (
        "open_table.c",
        "Table",
        "repOk",
        "--length Table.slots=capacity --max Slot[]=2",
        1 + 2 + (1 + 2 + 4),
    ),
    // Up to two entries in one chain, or spread over two.
    (
        "chained_map.c",
        "Map",
        "repOk",
        "--length Map.chains=count --max Entry*[]=2 --max Entry=2",
        3 + (1 + 2 + 3),
    ),
    // Nobody looks at fewer than two values; two are in room for two or three.
    (
        "sorted_array.c",
        "Array",
        "repOk",
        "--length Array.data=capacity --max int[]=3",
        1 + 2 + 1,
    ),
    (
        "heap_vector.c",
        "Heap",
        "repOk",
        "--length Heap.values=capacity --max int[]=4",
        1 + 3 + 2 + 1,
    ),
    (
        "ring_buffer.c",
        "Ring",
        "repOk",
        "--length Ring.bytes=capacity --max Ring.bytes[]=3",
        3,
    ),
    // None; one of one character or two; two that differ in the first character, of any
    // lengths, or only after it, where the second has two.
    (
        "name_list.c",
        "Names",
        "repOk",
        "--max Name=2 --max char[]=2",
        1 + 2 + (4 + 2),
    ),
    // So many slots of three in a row: no others are made.
    ("pool.c", "Pool", "repOk", "--max Slot=0", 1 + 3 + 6 + 6),
    (
        "unique_list.cpp",
        "List<int>",
        "List<int>::repOk",
        "--max Link<int>=3",
        4,
    ),
    // Nobody looks at fewer than two values, in room for none to three; two are in room for
    // two or three.
    (
        "row.c",
        "Row",
        "repOk",
        "--length Row.values=capacity --max Row.values[]=3",
        4 + 2 + 1,
    ),
    // Nothing, or one of two classes.
    ("shapes.cpp", "Drawing", "repOk", "--max Shape=1", 3),
    // No memory, or room for one or two of which up to all is in use.
    (
        "sorted_vector.cpp",
        "Sorted<int>",
        "Sorted<int>::repOk",
        "--max int[]=2",
        1 + 2 + 3,
    ),
    (
        "sorted_vec.rs",
        "Sorted",
        "rep_ok",
        "--max i32[]=3",
        1 + 2 + 1,
    ),
    // Nobody looks at more than how many people there are.
    (
        "contacts.cpp",
        "Contacts",
        "Contacts::repOk",
        "--max Contacts.numbers[]=2 --max int[]=2 --max char[]=1",
        3,
    ),
    ("shared_list.cpp", "List", "List::repOk", "--max Link=3", 4),
    // None; one in room for one or two; two that go on at the start of their memory or not.
    (
        "waiting_line.rs",
        "Line",
        "rep_ok",
        "--max u32[]=2",
        1 + 2 + 2,
    ),
    ("shared_cells.rs", "List", "rep_ok", "--max Link=3", 4),
    // With a best or without, none, one or two things in room for them, for one or for two: what
    // is not in use has one of two kinds too.
    (
        "inventory.rs",
        "Inventory",
        "rep_ok",
        "--max Thing[]=2",
        2 * ((1 + 2 + 4) + (2 + 4) + 4),
    ),
    // The last of the objects is where the values end.
    ("cons_list.rs", "List", "rep_ok", "--max List=4", 4),
];

#[test]
fn every_shipped_suite_is_what_its_invariant_gives() {
    let folder = Scratch::new();
    for (file, object, invariant, bounds, count) in SUITES {
        let (name, _) = file.split_once('.').expect("a file has an ending");
        let shipped = library().join(format!("{name}.stage"));
        let built = folder.path(name);
        let output = folder.everypath(&format!(
            "stage build {}/{file} --object {object} --invariant {invariant} {bounds} -o {}",
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
        let (shipped, built) = match file.ends_with(".rs") {
            true => (without_code(&shipped), without_code(&built)),
            false => (shipped, built),
        };
        assert_eq!(shipped, built, "{name}: `make suites` builds it anew");
    }
}

/// A suite without the hash of its invariant's code, which in Rust has code of the standard
/// library in it, and so is that of one version of the compiler.
fn without_code(suite: &str) -> String {
    let (before, rest) = suite.split_once("\"code\":\"").expect("it has a hash");
    let (_, after) = rest.split_once('"').expect("the hash ends");
    format!("{before}{after}")
}

#[test]
fn methods_keep_the_invariant_and_each_mutant_breaks_it_here_and_natively() {
    let folder = Scratch::new();
    for (file, object, invariant, bounds, _) in SUITES {
        // Some have their methods in a file of their own, where several structures meet.
        let methods = match file {
            "sorted_list.c" | "search_tree.c" => format!("../{file}"),
            "heap_array.c" => "../binary_heap.c".to_owned(),
            _ => file.to_owned(),
        };
        for mutant in 0..=2 {
            let output = folder.everypath(&format!(
                "stage test {}/{methods} -D MUTANT={mutant} --object {object} \
                 --invariant {invariant} {bounds} --suite {file}.stage --output {file}-{mutant}",
                library().display()
            ));
            let about = format!("{file}, mutant {mutant}");
            let said = format!("{}{}", output.stdout, output.stderr);
            let expected = Some(i32::from(mutant > 0));
            assert_eq!(output.status, expected, "{about}: {said}");
            let native = unit_tests(&folder, &output.stderr);
            // Rust's own runner has a status of its own for tests that fail.
            let failed = if file.ends_with(".rs") { 101 } else { 1 };
            let expected = Some(if mutant > 0 { failed } else { 0 });
            assert_eq!(
                native.status, expected,
                "{about}: {}{}",
                native.stdout, native.stderr
            );
        }
    }
}

#[test]
fn the_unit_tests_of_a_class_are_for_rust_and_for_googletest_too() {
    let folder = Scratch::new();
    let rust = folder.everypath(&format!(
        "stage test {}/../stack.rs --object Stack --invariant rep_ok --max Node=2 --output rust",
        library().display()
    ));
    assert_eq!(rust.status, Some(0), "{}", rust.stderr);
    let ran = unit_tests(&folder, &rust.stderr);
    assert_eq!(ran.status, Some(0), "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("test everypath_tests::push_3 ... ok"));
    let list = "--object List<int> --invariant List<int>::repOk --max Link<int>=1";
    let cpp = folder.everypath(&format!(
        "stage test {}/unique_list.cpp {list} --framework googletest --output cpp",
        library().display()
    ));
    assert!(
        cpp.stderr
            .contains(" -lgtest -lgtest_main -pthread && ./a.out\n")
    );
    let text = folder.read("cpp/Listint_tests.cpp");
    assert!(text.contains("\nTEST(Listint, push_1) {\n"), "{text}");
    let refused = folder.everypath(&format!(
        "stage test {}/pool.c --object Pool --invariant repOk --framework googletest",
        library().display()
    ));
    assert_eq!(refused.status, Some(2));
}

/// Compiles and runs the unit tests of a class as the note says.
pub(crate) fn unit_tests(folder: &Scratch, said: &str) -> Finished {
    let mut lines = said.lines();
    let command = lines.find_map(|line| line.split_once(" unit tests: "));
    let (_, command) = command.unwrap_or_else(|| panic!("there are unit tests: {said}"));
    let mut shell = Command::new("sh");
    Finished::of(shell.current_dir(folder.folder()).args(["-c", command]))
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
        summary.contains("29 of 29 explored paths are of valid objects\n"),
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
