//! Programs of `examples/programs`: the commands of their first comments cover them, their
//! tests replay, and planted bugs are found. `make bench-programs` measures all of them.

use serde_json::json;
use testkit::{Scratch, project};

/// Enough for these programs; counts, so that a busy machine finds the same.
const LIMITS: &str = "--workers 1 --max-instructions 8000000";

/// What stands behind `everypath run` in the first comment of a program, with the
/// program's full name.
fn command(name: &str, text: &str) -> String {
    let start = format!("everypath run {name}.c ");
    let (_, rest) = text.split_once(&start).expect("the comment has a command");
    let arguments = rest.lines().next().unwrap_or_default();
    let file = project(&format!("examples/programs/{name}.c"));
    format!("run {} {LIMITS} {arguments}", file.display())
}

/// The macros of planted bugs and the kinds of error they are.
fn bugs(text: &str) -> Vec<(&str, &str)> {
    let lines = text.lines().filter(|line| line.starts_with("#if"));
    let marked = lines.filter_map(|line| line.split_once(" /* "));
    marked
        .map(|(condition, kind)| {
            let define = condition.split(' ').next_back().unwrap_or_default();
            (define, kind.trim_end_matches(" */"))
        })
        .collect()
}

#[track_caller]
fn is_covered_and_its_bugs_are_found(name: &str) {
    let scratch = Scratch::new();
    let path = project(&format!("examples/programs/{name}.c"));
    let text = std::fs::read_to_string(path).expect("the program is there");
    let command = command(name, &text);

    let line = format!("{command} --only-covering-new --out out --json");
    let run = scratch.everypath(line.as_str()).succeeds().json();
    let lines = &run["coverage"]["lines"];
    let share = |key: &str| lines[key].as_u64().expect("a count of lines");
    assert!(100 * share("covered") >= 85 * share("total"), "{lines}");
    // The path that the limit stopped has no end to compare.
    let replayed = scratch.everypath("replay out --native --json").json();
    assert_eq!(replayed["divergences"], json!([]), "{replayed}");

    let bugs = bugs(&text);
    assert_eq!(bugs.len(), 2);
    for (define, kind) in bugs {
        let line = format!("{command} -D {define} --max-errors 1 --out {define} --json");
        let errors = scratch.everypath(line.as_str()).json()["errors"].clone();
        assert_eq!(errors[0]["kind"], kind, "{define}: {errors}");
    }
}

#[test]
fn wc_is_covered_and_its_bugs_are_found() {
    is_covered_and_its_bugs_are_found("wc");
}

#[test]
fn sort_is_covered_and_its_bugs_are_found() {
    is_covered_and_its_bugs_are_found("sort");
}

#[test]
fn csv_is_covered_and_its_bugs_are_found() {
    is_covered_and_its_bugs_are_found("csv");
}
