//! What tests share, so that a test says only what it proves.
//!
//! [`Scratch`] is a folder of its own for each test, [`Finished`] what a command left:
//! its status and its two texts. [`Running`] is one that is still at work and can be
//! interrupted. [`cases`] makes a test of every file in a folder and keeps its
//! expectation in a file beside it.
//!
//! Everything here panics where a test would have to fail anyway; the message names
//! the command and shows what it said.
//!
//! ```
//! use testkit::Scratch;
//!
//! let scratch = Scratch::with(&[("notes/one.txt", "1\n")]);
//! assert_eq!(scratch.names("notes"), ["one.txt"]);
//! assert_eq!(scratch.read("notes/one.txt"), "1\n");
//! ```

pub mod cases;
mod finished;
mod running;
mod scratch;

pub use finished::Finished;
pub use running::Running;
pub use scratch::Scratch;

use std::env;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The compiler of C that tests use, the same version as the product's.
pub const CLANG: &str = "clang-22";

/// A file or folder of the project, by its path from the top.
pub fn project(path: &str) -> PathBuf {
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let top = top.canonicalize().expect("the project is somewhere");
    top.join(path)
}

/// Runs `everypath` in a folder until it ends.
#[track_caller]
pub fn everypath(folder: &Path, line: impl CommandLine) -> Finished {
    Finished::of(&mut command(folder, line))
}

/// The command `everypath`, to be run in a folder.
pub fn command(folder: &Path, line: impl CommandLine) -> Command {
    let mut command = Command::new(binary());
    command.current_dir(folder).args(line.words());
    command
}

/// Where the binary under test is: Cargo builds it for integration tests of its own
/// package and says so, from 1.94 on also at run time. Before that it is known to be
/// in the folder above the one of test executables.
fn binary() -> PathBuf {
    if let Some(path) = env::var_os("CARGO_BIN_EXE_everypath") {
        return path.into();
    }
    let test = env::current_exe().expect("a test is a file");
    let folder = test.parent().and_then(Path::parent);
    let folder = folder.expect("test executables are in target/PROFILE/deps");
    folder.join(format!("everypath{}", env::consts::EXE_SUFFIX))
}

/// What is typed after `everypath`: one text whose words have blanks between them, or
/// a list of words where a word may hold blanks.
pub trait CommandLine {
    /// The words in order.
    fn words(&self) -> Vec<OsString>;
}

impl CommandLine for &str {
    fn words(&self) -> Vec<OsString> {
        self.split_whitespace().map(OsString::from).collect()
    }
}

impl CommandLine for &String {
    fn words(&self) -> Vec<OsString> {
        self.as_str().words()
    }
}

impl<T: AsRef<OsStr>> CommandLine for &[T] {
    fn words(&self) -> Vec<OsString> {
        self.iter().map(|word| word.as_ref().to_owned()).collect()
    }
}

impl<T: AsRef<OsStr>, const N: usize> CommandLine for &[T; N] {
    fn words(&self) -> Vec<OsString> {
        self.as_slice().words()
    }
}

impl<T: AsRef<OsStr>> CommandLine for &Vec<T> {
    fn words(&self) -> Vec<OsString> {
        self.as_slice().words()
    }
}
