//! Programs that use the system: each with its paths in the file beside it, and with the
//! real system as the referee of every answer the model gives. What a test writes and how
//! it ends is the same in both.

use crate::programs;
use libtest_mimic::Trial;
use std::path::Path;
use testkit::{Scratch, cases};

pub fn trials() -> Vec<Trial> {
    cases::of_files("tests/posix", &["c"], check)
}

fn check(program: &Path) -> Result<(), String> {
    let scratch = Scratch::new();
    let run = programs::run(&scratch, program)?;
    cases::expect_beside(program, &programs::render(&run))?;
    let replayed = scratch.everypath("replay out --native");
    match replayed.success() {
        true => Ok(()),
        false => Err(replayed.said()),
    }
}
