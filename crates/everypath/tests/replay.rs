//! `everypath replay` as a user meets it: predictions and the real program.

use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

/// Five paths: two exit statuses, a failed assertion, a read out of bounds and
/// a division by zero.
const PROGRAM: &str = r#"
#include <assert.h>
#include <everypath.h>
#include <stdlib.h>
int table[4];
int main(void) {
    int x;
    ep_symbolic(&x, sizeof x, "x");
    if (x == 7)
        exit(3);
    assert(x != 8);
    if (x == 9)
        return table[x];
    if (x == 10)
        return x / (x - 10);
    return 0;
}
"#;

fn everypath(directory: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_everypath"))
        .args(arguments)
        .current_dir(directory)
        .output()
        .expect("the binary was built")
}

/// A directory in which a program was run.
fn run(program: &str, status: i32) -> tempfile::TempDir {
    let directory = tempfile::tempdir().expect("there is room for a directory");
    fs::write(directory.path().join("program.c"), program).expect("the directory is writable");
    let output = everypath(directory.path(), &["run", "program.c"]);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(status), "{errors}");
    directory
}

/// The object that a replay prints, and its exit status.
fn replay(directory: &Path, options: &[&str]) -> (Value, Option<i32>) {
    let arguments = [&["replay", "everypath-last", "--json"], options].concat();
    let output = everypath(directory, &arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    let shown = serde_json::from_slice(&output.stdout);
    let shown = shown.unwrap_or_else(|error| panic!("{error}\n{errors}"));
    (shown, output.status.code())
}

/// How many tests agree, are not contradicted, and diverge.
fn counts(shown: &Value) -> (u64, u64, usize) {
    let number = |name: &str| shown[name].as_u64().expect("it is a count");
    let divergences = shown["divergences"].as_array().expect("it is a list");
    (
        number("agreed"),
        number("not_contradicted"),
        divergences.len(),
    )
}

#[test]
fn every_test_ends_natively_as_the_run_predicted() {
    let directory = run(PROGRAM, 1);
    let (shown, status) = replay(directory.path(), &["--native"]);
    let (agreed, not_contradicted, divergences) = counts(&shown);
    // Whether the read out of bounds is noticed is up to the system.
    assert_eq!(agreed + not_contradicted, 5, "{shown}");
    assert!(agreed >= 4, "{shown}");
    assert_eq!(divergences, 0, "{shown}");
    assert_eq!(status, Some(0));
}

#[test]
fn sanitizers_see_every_error_that_was_predicted() {
    let directory = run(PROGRAM, 1);
    let (shown, status) = replay(directory.path(), &["--native", "--sanitize"]);
    assert_eq!(counts(&shown), (5, 0, 0), "{shown}");
    assert_eq!(status, Some(0));
}

#[test]
fn without_native_the_predictions_are_listed() {
    let directory = run(PROGRAM, 1);
    let output = everypath(directory.path(), &["replay"]);
    let text = String::from_utf8_lossy(&output.stdout);
    let (tests, last) = text.trim_end().rsplit_once('\n').expect("there are lines");
    assert_eq!(
        last,
        "5 tests to replay; --native runs them in the real program"
    );
    let mut ends: Vec<&str> = tests.lines().filter_map(|line| line.get(12..)).collect();
    ends.sort_unstable();
    assert_eq!(
        ends,
        [
            "assert",
            "division",
            "exit 0",
            "exit 3",
            "out-of-bounds-read"
        ]
    );
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn a_program_that_does_something_else_diverges() {
    let directory = run(PROGRAM, 1);
    let file = directory.path().join("program.c");
    fs::write(&file, PROGRAM.replace("exit(3)", "exit(5)")).expect("the file is writable");
    let output = everypath(directory.path(), &["replay", "--native"]);
    let text = String::from_utf8_lossy(&output.stdout);
    let first = text.lines().next().expect("there are lines");
    let rest = first.strip_prefix("divergence: test00000");
    assert_eq!(
        rest.and_then(|rest| rest.get(1..)),
        Some(": predicted exit 3, happened exit 5"),
        "{text}"
    );
    assert!(text.contains("5 tests replayed: "), "{text}");
    assert!(text.contains(", 1 divergence; "), "{text}");
    let note = String::from_utf8_lossy(&output.stderr);
    assert!(
        note.ends_with("program.c has changed since the run\n"),
        "{note}"
    );
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn a_program_that_asks_for_other_inputs_diverges() {
    let directory = run(PROGRAM, 1);
    let file = directory.path().join("program.c");
    fs::write(&file, PROGRAM.replace("\"x\"", "\"y\"")).expect("the file is writable");
    let (shown, status) = replay(directory.path(), &["--native"]);
    assert_eq!(counts(&shown), (0, 0, 5), "{shown}");
    for divergence in shown["divergences"].as_array().expect("it is a list") {
        assert_eq!(divergence["happened"], "a request for other inputs");
        assert_eq!(
            divergence["said"],
            "divergence: input 1 is `x` of 4 bytes, and the program asks for `y` of 4"
        );
    }
    assert_eq!(status, Some(1));
}

#[test]
fn what_only_a_sanitizer_sees_is_a_divergence() {
    let overflow = r#"
#include <everypath.h>
int main(void) {
    int x;
    ep_symbolic(&x, sizeof x, "x");
    ep_assume(x == 2147483647);
    return x + 1 > 0;
}
"#;
    let directory = run(overflow, 0);
    let (shown, status) = replay(directory.path(), &["--native"]);
    assert_eq!((counts(&shown), status), ((1, 0, 0), Some(0)), "{shown}");
    let (shown, status) = replay(directory.path(), &["--native", "--sanitize"]);
    assert_eq!((counts(&shown), status), ((0, 0, 1), Some(1)), "{shown}");
    let said = shown["divergences"][0]["said"].as_str().unwrap_or_default();
    assert!(said.contains("signed integer overflow"), "{said}");
}

#[test]
fn one_test_is_replayed_by_its_name() {
    let directory = run(PROGRAM, 1);
    for name in [
        "test000002",
        "everypath-out-0/test000002",
        "everypath-last/test000002.ktest",
    ] {
        let output = everypath(directory.path(), &["replay", name, "--native"]);
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(text.starts_with("1 test replayed: "), "{text}");
        assert_eq!(output.status.code(), Some(0));
    }
}

#[test]
fn files_are_compiled_as_they_were_for_the_run() {
    let directory = tempfile::tempdir().expect("there is room for a directory");
    let write = |name: &str, text: &str| {
        let path = directory.path().join(name);
        fs::create_dir_all(path.parent().expect("a file has a folder"))
            .and_then(|()| fs::write(path, text))
            .expect("the directory is writable");
    };
    write("include/limit.h", "int limit(void);\n");
    write(
        "limit.c",
        "#include \"limit.h\"\nint limit(void) { return LIMIT; }\n",
    );
    write(
        "main.c",
        "#include \"limit.h\"\n#include <everypath.h>\n#include <stdlib.h>\nint main(void) {\n    \
         if (ep_range(0, 100, \"x\") < limit())\n        exit(EXTRA);\n    return 1;\n}\n",
    );
    let options = [
        "run",
        "-I",
        "include",
        "-D",
        "LIMIT=50",
        "--cc-arg",
        "-DEXTRA=17",
        "--std",
        "c11",
        "-O",
        "1",
        "main.c",
        "limit.c",
    ];
    let output = everypath(directory.path(), &options);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{errors}");
    // From elsewhere, too.
    let elsewhere = tempfile::tempdir().expect("there is room for a directory");
    let tests = directory
        .path()
        .join("everypath-last")
        .display()
        .to_string();
    let output = everypath(elsewhere.path(), &["replay", &tests, "--native"]);
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(
        text.starts_with("2 tests replayed: 2 as predicted, 0 not contradicted, 0 divergences; "),
        "{text}{errors}"
    );
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn what_cannot_be_replayed_gets_one_message() {
    let directory = tempfile::tempdir().expect("there is room for a directory");
    let refuses = |arguments: &[&str], expected: &str| {
        let output = everypath(directory.path(), arguments);
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(message.contains(expected), "{message}");
        assert_eq!(message.lines().count(), 1, "{message}");
        assert_eq!(output.stdout, b"");
        assert_eq!(output.status.code(), Some(2));
    };
    refuses(&["replay"], "error: cannot read everypath-last: ");
    refuses(
        &["replay", "nowhere", "--native"],
        "error: cannot read nowhere: ",
    );
    refuses(&["replay", "."], "holds neither tests nor a run.json");
    let write = |name: &str, text: &str| {
        fs::write(directory.path().join(name), text).expect("the directory is writable");
    };
    write("messages.log", "");
    refuses(
        &["replay", "."],
        "run.json, which says what program the tests are for",
    );
    write("run.json", "{}");
    refuses(
        &["replay", ".", "--native"],
        "it does not say what program was run",
    );
    write("run.json", "{\"ends\": 3}");
    refuses(
        &["replay", "."],
        "`ends` does not name the tests by their ends",
    );
    write("run.json", "{");
    refuses(&["replay", "."], "run.json: ");
}

#[test]
fn a_program_that_no_longer_compiles_gets_clangs_message() {
    let directory = run(PROGRAM, 1);
    let file = directory.path().join("program.c");
    fs::write(&file, "int main(void) { return nothing; }\n").expect("the file is writable");
    let output = everypath(directory.path(), &["replay", "--native"]);
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(message.contains("could not compile "), "{message}");
    assert!(
        message.contains("undeclared identifier 'nothing'"),
        "{message}"
    );
    assert_eq!(output.status.code(), Some(2));
}
