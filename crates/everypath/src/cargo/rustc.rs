//! What stands in the place of rustc while cargo compiles for us: rustc with more flags.
//!
//! `RUSTFLAGS` would take the place of what a project's own configuration says, and
//! `RUSTC_BOOTSTRAP` for all of a build would have build scripts believe that the compiler
//! is a nightly one.

use program::toolchain::CommandLine;
use std::env;
use std::ffi::OsString;
use std::process::ExitCode;

/// Has the flags for crates of the program, one a line.
pub(super) const FLAGS: &str = "EVERYPATH_RUSTC_FLAGS";

/// Runs rustc as cargo asks for, where cargo runs this process in its place.
pub fn in_its_place() -> Option<ExitCode> {
    let flags = env::var(FLAGS).ok()?;
    let mut words = env::args_os().skip(1);
    let rustc = words.next()?;
    let words: Vec<OsString> = words.collect();
    let mut command = CommandLine::new(&rustc.to_string_lossy()).args(&words);
    if is_for_the_program(&words) {
        command = command.args(flags.lines()).env("RUSTC_BOOTSTRAP", "1");
    }
    let error = command.replace_process();
    eprintln!("error: {error}");
    Some(ExitCode::from(2))
}

/// Whether a crate of the program is compiled. Build scripts and macros are for this
/// machine, whose name is given for crates of the program alone, and a crate without a
/// name is a question about the compiler.
fn is_for_the_program(words: &[OsString]) -> bool {
    const QUESTION: &str = "___";
    let named = words.windows(2).find(|pair| pair[0] == "--crate-name");
    named.is_some_and(|pair| pair[1] != QUESTION) && words.iter().any(|word| word == "--target")
}
