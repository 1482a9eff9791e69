//! A test for each file of a folder, with what is expected in a file beside it.
//!
//! The test's name is the file's path in the project, so that a failure names the
//! file, and a filter of the test command chooses one. `BLESS=1` writes what was
//! found over what was expected, to be read before it is committed.

use crate::project;
use libtest_mimic::{Arguments, Failed, Trial};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs};

/// Runs these tests as the test command asks, which may be to list them.
pub fn main(trials: Vec<Trial>) -> ExitCode {
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

/// A test for each file with one of these extensions in a folder of the project.
///
/// # Panics
///
/// If there is none: a folder that was moved must not pass for tests that passed.
pub fn of_files<E: ToString>(
    folder: &str,
    extensions: &[&str],
    check: impl Fn(&Path) -> Result<(), E> + Copy + Send + 'static,
) -> Vec<Trial> {
    let files = files(&project(folder), extensions);
    assert!(!files.is_empty(), "there are files in {folder}");
    let trial = |file: PathBuf| {
        let name = file.file_name().expect("a file has a name");
        let name = format!("{folder}/{}", name.to_string_lossy());
        Trial::test(name, move || {
            check(&file).map_err(|error| Failed::from(error.to_string()))
        })
    };
    files.into_iter().map(trial).collect()
}

/// The files of a folder that have one of these extensions, in order.
pub fn files(folder: &Path, extensions: &[&str]) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("the folder is in the repository");
    let paths = entries.map(|entry| entry.expect("its entries can be read").path());
    let is_wanted = |path: &PathBuf| {
        let extension = path.extension().and_then(|extension| extension.to_str());
        extension.is_some_and(|extension| extensions.contains(&extension))
    };
    let mut files: Vec<PathBuf> = paths.filter(is_wanted).collect();
    files.sort();
    files
}

/// Compares with the file of the same name that ends in `.expected`, or writes it
/// when the user asks for that.
///
/// # Errors
///
/// When they differ, or the file cannot be read or written.
pub fn expect_beside(file: &Path, found: &str) -> Result<(), String> {
    let beside = file.with_extension("expected");
    let name = beside.display();
    if blessing() {
        return fs::write(&beside, found).map_err(|error| format!("{name}: {error}"));
    }
    let expected = fs::read_to_string(&beside).map_err(|error| format!("{name}: {error}"))?;
    match found == expected {
        true => Ok(()),
        false => Err(format!("{name}\nexpected:\n{expected}found:\n{found}")),
    }
}

/// Whether expectations are to be written rather than compared with.
pub fn blessing() -> bool {
    env::var_os("BLESS").is_some()
}
