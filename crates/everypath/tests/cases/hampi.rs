//! String constraints, each with its solutions in the file beside it.
//!
//! What is expected is all solutions, sorted, where there are few; which of many are
//! found first is the solver's business. Both encodings must give the same.

use libtest_mimic::Trial;
use std::path::Path;
use testkit::{Scratch, cases};

/// Solutions that are asked for.
const MANY: usize = 12;

pub fn trials() -> Vec<Trial> {
    cases::of_files("tests/hampi", &["hmp"], check)
}

fn check(file: &Path) -> Result<(), String> {
    let by_core = solutions(file, "core")?;
    let by_chart = solutions(file, "chart")?;
    if by_core != by_chart {
        return Err(format!("core:\n{by_core}chart:\n{by_chart}"));
    }
    cases::expect_beside(file, &by_core)
}

fn solutions(file: &Path, encoding: &str) -> Result<String, String> {
    let many = MANY.to_string();
    let file = file.to_string_lossy();
    let arguments = ["solve", "--encoding", encoding, "--all", &many, &file];
    let solved = Scratch::new().everypath(&arguments);
    if !solved.success() {
        return Err(format!("status {:?}\n{}", solved.status, solved.said()));
    }
    let text = solved.stdout;
    let Some(all) = text.strip_suffix("\n\nthere is no other solution\n") else {
        return Ok(match text == "UNSAT\n" {
            true => text,
            false => format!("{} solutions and more\n", text.split("\n\n").count()),
        });
    };
    let mut solutions: Vec<&str> = all.split("\n\n").collect();
    solutions.sort_unstable();
    Ok(solutions.join("\n\n") + "\n")
}
