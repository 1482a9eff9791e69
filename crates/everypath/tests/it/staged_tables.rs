//! The published tables of staged execution on `examples/staged`, up to their
//! middle sizes, and the mutants that its checks must find.

use serde_json::Value as Json;
use std::path::PathBuf;
use testkit::{Scratch, project};

/// A structure of the examples.
struct Structure {
    program: &'static str,
    object: &'static str,
    invariant: &'static str,
    bound: &'static str,
}

const TREE: Structure = Structure {
    program: "search_tree.c",
    object: "SearchTree",
    invariant: "repOk",
    bound: "--max Node=",
};

const LIST: Structure = Structure {
    program: "sorted_list.c",
    object: "SortedList",
    invariant: "listRepOk",
    bound: "--max Link=",
};

const HEAP: Structure = Structure {
    program: "binary_heap.c",
    object: "BinaryHeap",
    invariant: "repOk",
    bound: "--range BinaryHeap.size=0..",
};

struct Tables(Scratch);

impl Tables {
    fn new() -> Tables {
        Tables(Scratch::new())
    }

    /// What a command, its words separated by blanks, says of itself.
    #[track_caller]
    fn told(&self, command: &str) -> Json {
        let output = self.0.everypath(&format!("{command} --json"));
        output.json()
    }

    /// Valid and explored paths.
    #[track_caller]
    fn numbers(&self, command: &str) -> (u64, u64) {
        let told = self.told(command);
        let number = |name: &str| told["stage"][name].as_u64().expect("it is a number");
        (number("valid"), number("explored"))
    }

    /// Writes the objects up to a size to a suite, which is named.
    #[track_caller]
    fn build(&self, of: &Structure, size: u64) -> (String, (u64, u64)) {
        let suite = format!("{}{size}.stage", of.object);
        let program = example(of.program);
        let command = format!(
            "stage build {} --object {} --invariant {} {}{size} -o {suite}",
            program.display(),
            of.object,
            of.invariant,
            of.bound
        );
        let numbers = self.numbers(&command);
        (suite, numbers)
    }

    /// The valid paths of a method on these objects; all that are explored are.
    #[track_caller]
    fn second(&self, program: &str, method: &str, suites: &[&str], more: &str) -> u64 {
        let inputs: String = suites
            .iter()
            .map(|suite| format!(" --input {suite}"))
            .collect();
        let program = example(program);
        let command = format!(
            "stage run {} --method {method}{inputs} --no-dump{more}",
            program.display()
        );
        let (valid, explored) = self.numbers(&command);
        assert_eq!(valid, explored, "{command}");
        valid
    }
}

fn example(name: &str) -> PathBuf {
    project("examples/staged").join(name)
}

#[test]
fn search_trees_have_the_published_numbers() {
    let tables = Tables::new();
    let (two, numbers) = tables.build(&TREE, 2);
    assert_eq!(numbers, (4, 20));
    let (three, numbers) = tables.build(&TREE, 3);
    assert_eq!(numbers, (9, 72));
    let (four, numbers) = tables.build(&TREE, 4);
    assert_eq!(numbers, (23, 268));
    let (list_two, _) = tables.build(&LIST, 2);
    let (list_three, _) = tables.build(&LIST, 3);
    let run = |method: &str, suites: &[&str]| tables.second(TREE.program, method, suites, "");
    assert_eq!([run("add", &[&three]), run("add", &[&four])], [29, 99]);
    let removed = [run("removeData", &[&three]), run("removeData", &[&four])];
    assert_eq!(removed, [49, 175]);
    assert_eq!(run("isEqual", &[&two, &two]), 16);
    assert_eq!(run("isEqual", &[&three, &three]), 81);
    assert_eq!(run("isPreOrder", &[&two, &list_two]), 16);
    assert_eq!(run("isPreOrder", &[&three, &list_three]), 48);
    assert_eq!(run("unite", &[&two, &two]), 16);
}

#[test]
fn sorted_lists_have_the_published_numbers() {
    let tables = Tables::new();
    let suites: Vec<String> = (2..=7).map(|size| tables.build(&LIST, size).0).collect();
    let list = |size: usize| &*suites[size - 2];
    let explored = [6, 7].map(|size| tables.build(&LIST, size).1);
    assert_eq!(explored, [(7, 35), (8, 44)]);
    let run = |method: &str, suites: &[&str]| tables.second(LIST.program, method, suites, "");
    for method in ["add", "removeData"] {
        assert_eq!([6, 7].map(|size| run(method, &[list(size)])), [28, 36]);
    }
    let twice = |method: &str, size: usize| run(method, &[list(size); 2]);
    assert_eq!([3, 4].map(|size| twice("merge", size)), [69, 251]);
    assert_eq!([4, 5].map(|size| twice("isEqual", size)), [55, 91]);
    assert_eq!(twice("unite", 2), 9);
    let thrice = [2, 3].map(|size| run("isIntersection", &[list(size); 3]));
    assert_eq!(thrice, [112, 796]);
}

#[test]
fn heaps_have_a_valid_object_for_each_size() {
    let tables = Tables::new();
    for (size, objects, added) in [(8, (9, 16), 25), (9, (10, 18), 29)] {
        let (suite, numbers) = tables.build(&HEAP, size);
        assert_eq!(numbers, objects);
        let valid = tables.second(HEAP.program, "add", &[&suite], " --trust-method");
        assert_eq!(valid, added);
    }
}

#[test]
fn every_mutant_of_add_is_found_and_the_original_is_clean() {
    for (structure, size) in [(TREE, 3), (LIST, 3), (HEAP, 3)] {
        let tables = Tables::new();
        let (suite, _) = tables.build(&structure, size);
        let program = example(structure.program);
        let errors = |mutant: u32| {
            let command = format!(
                "stage run {} --method add --input {suite} --post addPost --no-dump -D MUTANT={mutant}",
                program.display()
            );
            tables.told(&command)["paths"]["errors"]
                .as_u64()
                .expect("it is a number")
        };
        assert_eq!(errors(0), 0, "{}", structure.program);
        for mutant in 1..=6 {
            assert!(errors(mutant) > 0, "{}: mutant {mutant}", structure.program);
        }
    }
}
