//! One test for each file under `tests/` that has its expectation beside it.
//! `BLESS=1 cargo nextest run -p everypath --test cases` writes those anew.

mod hampi;
mod posix;
mod programs;
mod staged;

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut trials = programs::trials();
    trials.extend(posix::trials());
    trials.extend(hampi::trials());
    trials.extend(staged::trials());
    testkit::cases::main(trials)
}
