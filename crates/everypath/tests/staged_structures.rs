//! The data structures under `examples/staged`, run natively by the programs under
//! `tests/staged`: how many objects satisfy an invariant by brute force, that the
//! methods keep it, and that every mistake put into `add` breaks something.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

#[test]
fn search_trees_are_as_many_as_brute_force_finds_and_add_keeps_them() {
    check_with_mutants(
        "search_tree.c",
        |add| {
            format!(
                "up to 3 nodes over 4 values: 75 trees\n\
                 {add}\
                 up to 3 nodes: 9 shapes\n\
                 up to 4 nodes: 23 shapes\n\
                 up to 5 nodes: 65 shapes\n"
            )
        },
        [(156, 0), (406, 0), (450, 0), (319, 0), (450, 0), (0, 294)],
    );
}

#[test]
fn sorted_lists_are_as_many_as_brute_force_finds_and_add_keeps_them() {
    check_with_mutants(
        "sorted_list.c",
        |add| format!("up to 3 links over 4 values: 35 lists\n{add}"),
        [(170, 0), (210, 0), (139, 0), (210, 0), (70, 0), (0, 150)],
    );
}

#[test]
fn binary_heaps_are_as_many_as_brute_force_finds_and_add_keeps_them() {
    check_with_mutants(
        "binary_heap.c",
        |add| format!("up to 8 elements over 3 values: 810 heaps\n{add}"),
        [
            (3236, 0),
            (731, 0),
            (1113, 0),
            (1623, 0),
            (202, 0),
            (0, 974),
        ],
    );
}

#[test]
fn the_library_of_structures_keeps_its_invariants_and_tells_broken_objects() {
    for name in [
        "singly_linked_list.c",
        "doubly_linked_list.c",
        "circular_list.c",
        "binary_tree.c",
        "avl_tree.c",
        "red_black_tree.c",
        "stack.c",
        "queue.c",
        "graph.c",
        "hash_table.c",
        "account_book.cpp",
    ] {
        assert_eq!(Scratch::new(name).counts(name, 0), "", "{name}");
    }
}

#[test]
fn the_rust_stack_passes_its_own_tests() {
    let scratch = Scratch::new("stack.rs");
    let compiler = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let program = scratch.0.join("stack");
    scratch.run(
        Command::new(compiler)
            .args(["--edition", "2024", "--test", "-D", "warnings", "-o"])
            .arg(&program)
            .arg(repository().join("examples/staged/stack.rs")),
    );
    scratch.run(&mut Command::new(program));
}

/// Runs the check of a structure, then the check of each mutant, and compares how
/// often `add` broke the invariant and the postcondition.
fn check_with_mutants(
    name: &str,
    expected: impl Fn(&str) -> String,
    broken_by_mutant: [(usize, usize); 6],
) {
    let scratch = Scratch::new(name);
    let broken = [(0, 0)].into_iter().chain(broken_by_mutant);
    for (mutant, (invariant, postcondition)) in broken.enumerate() {
        let add = format!(
            "add: invariant broken {invariant} times, postcondition {postcondition} times\n"
        );
        let counts = scratch.counts(name, mutant);
        assert_eq!(counts, expected(&add), "{name}, mutant {mutant}");
    }
}

/// A directory for compiled programs that is removed in the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let directory = env::temp_dir().join(format!("everypath-{name}-{}", std::process::id()));
        fs::create_dir_all(&directory).expect("the temporary directory can be written to");
        Self(directory)
    }

    /// What the program under `tests/staged` prints.
    fn counts(&self, name: &str, mutant: usize) -> String {
        let (compiler, standard) = if name.ends_with(".cpp") {
            ("clang++-22", "-std=c++17")
        } else {
            ("clang-22", "-std=c17")
        };
        let program = self.0.join("check");
        self.run(
            Command::new(compiler)
                .args([standard, "-O1", "-Wall", "-Wextra", "-Werror", "-o"])
                .arg(&program)
                .arg(format!("-DMUTANT={mutant}"))
                .arg(repository().join("tests/staged").join(name)),
        );
        self.run(&mut Command::new(program))
    }

    fn run(&self, command: &mut Command) -> String {
        let output = command.output().expect("compilers and their programs run");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{command:?}:\n{text}{errors}");
        text
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // A leftover in the temporary directory harms nobody.
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}
