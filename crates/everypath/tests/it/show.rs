//! `everypath show` as a user meets it.

use serde_json::{Value, json};
use std::fs;
use testkit::Scratch;

const PROGRAM: &str = r#"
#include <everypath.h>
int main(void) {
    int age = 0;
    char name[3];
    ep_symbolic(&age, sizeof age, "age");
    ep_symbolic(name, sizeof name, "name");
    ep_assume(age == -2 && name[0] == 'J' && name[1] == 'o' && name[2] == 0);
    return 4;
}
"#;

/// A directory in which the program was run.
fn run() -> Scratch {
    let directory = Scratch::new();
    directory.write("program.c", PROGRAM);
    let output = directory.everypath(&["run", "program.c"]);
    let errors = output.stderr;
    assert_eq!(output.status, Some(0), "{errors}");
    directory
}

#[track_caller]
fn refuses(directory: &Scratch, test: &str, expected: &str) {
    assert_eq!(directory.refusal(&["show", test]), expected);
}

#[test]
fn a_test_is_shown_by_its_name_its_directory_and_its_file() {
    let directory = run();
    let names = [
        "test000001",
        "everypath-out-0/test000001",
        "everypath-last/test000001.ktest",
    ];
    for name in names {
        let output = directory.everypath(&["show", name]);
        assert_eq!(
            output.stdout,
            "input 1: age, 4 bytes\n  int    -2\n  uint   4294967294\n  text   \"\\376\\377\\377\\377\"\n  \
             hex    fe ff ff ff\ninput 2: name, 3 bytes\n  text   \"Jo\\0\"\n  hex    4a 6f 00\n\
             ends in exit 4\n"
        );
        assert_eq!(output.stderr, "");
        assert_eq!(output.status, Some(0));
    }
}

#[test]
fn a_test_is_shown_as_json() {
    let directory = run();
    let output = directory.everypath(&["show", "--json", "test000001"]);
    let shown: Value = output.json();
    assert_eq!(shown["test"], "test000001");
    assert_eq!(shown["file"], "everypath-last/test000001.ktest");
    assert_eq!(shown["end"], "exit 4");
    assert_eq!(shown["inputs"][0]["name"], "age");
    assert_eq!(shown["inputs"][0]["int"], -2);
    assert_eq!(shown["inputs"][1]["text"], json!("Jo\\0"));
    assert_eq!(output.status, Some(0));
}

#[test]
fn a_file_of_klee_is_shown_without_a_run() {
    let directory = Scratch::new();
    let case = suite::TestCase::new(vec![suite::Input::new("n", [5])]);
    let file = directory.path("other.ktest");
    fs::write(&file, suite::ktest::encode(&case)).expect("the directory is writable");
    let output = directory.everypath(&["show", "other.ktest"]);
    assert_eq!(
        output.stdout,
        "input 1: n, 1 byte\n  int    5\n  uint   5\n  text   \"\\005\"\n  hex    05\n"
    );
}

#[test]
fn a_test_that_is_not_there_is_named_with_the_places_tried() {
    let directory = Scratch::new();
    refuses(
        &directory,
        "test000009",
        "error: there is no test test000009 (tried test000009, test000009.ktest, \
         everypath-last/test000009.ktest); everypath run writes tests\n",
    );
}

#[test]
fn a_file_that_is_no_test_is_refused() {
    let directory = Scratch::new();
    directory.write("a.ktest", "hello");
    let output = directory.everypath(&["show", "a.ktest"]);
    let message = output.stderr;
    assert!(message.starts_with("error: a.ktest: "), "{message}");
    assert_eq!(message.lines().count(), 1, "{message}");
    assert_eq!(output.status, Some(2));
}
