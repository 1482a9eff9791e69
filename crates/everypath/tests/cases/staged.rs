//! The data structures under `examples/staged`, run natively: how many objects satisfy
//! an invariant by brute force, that the methods keep it, and that every mistake put
//! into a method breaks something.
//!
//! A program that says `mutants: N` in its first lines is compiled as it is and with
//! each of that many mistakes, and the expectation has what each of them prints.

use libtest_mimic::Trial;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Command;
use testkit::{Finished, Scratch, cases};

pub fn trials() -> Vec<Trial> {
    cases::of_files("tests/staged", &["c", "cpp"], check)
}

fn check(program: &Path) -> Result<(), String> {
    let original = printed(program, 0);
    let mut found = original.clone();
    for mutant in 1..=mutants(program)? {
        let printed = printed(program, mutant);
        if printed == original {
            return Err(format!("mutant {mutant} breaks nothing"));
        }
        let _ = write!(found, "\nmutant {mutant}:\n{printed}");
    }
    cases::expect_beside(program, &found)
}

fn mutants(program: &Path) -> Result<u32, String> {
    let text = fs::read_to_string(program).map_err(|error| error.to_string())?;
    let said = text.lines().take(4).find_map(|line| {
        let (_, number) = line.split_once("mutants: ")?;
        Some(number.trim_end_matches("*/").trim())
    });
    let number = said.unwrap_or("0").parse();
    number.map_err(|error| format!("mutants: {error}"))
}

/// What the program prints; it has to end well.
fn printed(program: &Path, mutant: u32) -> String {
    let is_cpp = program
        .extension()
        .is_some_and(|extension| extension == "cpp");
    let (compiler, standard) = match is_cpp {
        true => ("clang++-22", "-std=c++17"),
        false => (testkit::CLANG, "-std=c17"),
    };
    let scratch = Scratch::new();
    let binary = scratch.path("check");
    let mut compile = Command::new(compiler);
    compile
        .args([standard, "-O1", "-Wall", "-Wextra", "-Werror", "-o"])
        .arg(&binary)
        .arg(format!("-DMUTANT={mutant}"))
        .arg(program);
    Finished::of(&mut compile).succeeds();
    Finished::of(&mut Command::new(binary)).succeeds().stdout
}
