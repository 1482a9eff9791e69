//! Whole programs, each with the paths and errors it has in the file beside it.
//!
//! A program's first line may say `// run: ` and arguments for `everypath run`.

use libtest_mimic::Trial;
use serde_json::Value as Json;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use testkit::{Scratch, cases};

/// The languages that programs are written in.
const LANGUAGES: [&str; 3] = ["c", "cc", "rs"];

pub fn trials() -> Vec<Trial> {
    let mut trials = cases::of_files("tests/programs/pass", &LANGUAGES, check);
    trials.extend(cases::of_files("tests/programs/fail", &LANGUAGES, check));
    trials
}

fn check(program: &Path) -> Result<(), String> {
    let run = run(&Scratch::new(), program)?;
    // Whoever blesses a program in the wrong folder is told so.
    let fails = run["paths"]["errors"].as_u64() != Some(0);
    let folder = match fails {
        true => "fail",
        false => "pass",
    };
    if !program
        .parent()
        .is_some_and(|parent| parent.ends_with(folder))
    {
        return Err(format!("this belongs in tests/programs/{folder}"));
    }
    cases::expect_beside(program, &render(&run))
}

/// Runs a program with the options of its first line; tests go to `out`.
pub fn run(scratch: &Scratch, program: &Path) -> Result<Json, String> {
    let text = fs::read_to_string(program).map_err(|error| error.to_string())?;
    let first = text.lines().next().unwrap_or_default();
    let options = first.strip_prefix("// run: ").unwrap_or_default();
    let program = program.to_string_lossy();
    let mut arguments = vec!["run", "--json", "--output", "out", &*program];
    arguments.extend(options.split_whitespace());
    let output = scratch.everypath(&arguments);
    serde_json::from_str(&output.stdout)
        .map_err(|_| format!("no report, status {:?}\n{}", output.status, output.stderr))
}

/// The part of a report that does not depend on the solver's choices.
pub fn render(run: &Json) -> String {
    let count = |kind: &str| run["paths"][kind].as_u64().unwrap_or(u64::MAX);
    let mut text = format!(
        "paths: completed {}, errors {}, ignored {}",
        count("completed"),
        count("errors"),
        count("ignored")
    );
    for kind in ["unknown", "unfinished"] {
        if count(kind) != 0 {
            let _ = write!(text, ", {kind} {}", count(kind));
        }
    }
    text.push('\n');
    let mut errors: Vec<(u64, &str, &str)> = run["errors"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|error| {
            let field = |name: &str| error[name].as_str().unwrap_or_default();
            let line = error["line"].as_u64().unwrap_or_default();
            (line, field("kind"), field("function"))
        })
        .collect();
    errors.sort();
    for (line, kind, function) in errors {
        let _ = writeln!(text, "error: {kind} at line {line} in {function}");
    }
    text
}
