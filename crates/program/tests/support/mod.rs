//! What the tests share.

#![allow(dead_code, reason = "each test binary uses its part")]

pub mod interpreter;

use std::path::{Path, PathBuf};

use program::{LoadOptions, Program, load};

/// A file or directory beside the tests.
pub fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests")
        .join(name)
}

/// Loads one file beside the tests, which must load.
pub fn loaded(name: &str, options: &LoadOptions) -> Program {
    match load(&[path(name)], options) {
        Ok(program) => program,
        Err(error) => panic!("{name}: {error}"),
    }
}

/// Loads a text of a language, given by the extension of its files.
pub fn loaded_text(extension: &str, text: &str, options: &LoadOptions) -> Program {
    let directory = tempfile::tempdir().expect("there is room for a temporary directory");
    let file = directory.path().join(format!("test.{extension}"));
    std::fs::write(&file, text).expect("the directory is ours");
    load(&[file], options).unwrap_or_else(|error| panic!("{error}"))
}

/// Compares text with the file that holds what is expected. With `BLESS=1` in
/// the environment the file is written instead.
pub fn check(actual: &str, expected_file: &Path) {
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(expected_file, actual).expect("the expectation can be written");
        return;
    }
    let expected = std::fs::read_to_string(expected_file).unwrap_or_default();
    if actual == expected {
        return;
    }
    let at = actual
        .lines()
        .zip(expected.lines())
        .position(|(a, e)| a != e);
    let at = at.unwrap_or(actual.lines().count().min(expected.lines().count()));
    panic!(
        "{} differs in line {}:\nexpected: {}\n  actual: {}\nBLESS=1 renews it.\n\n{actual}",
        expected_file.display(),
        at + 1,
        expected.lines().nth(at).unwrap_or("(the end)"),
        actual.lines().nth(at).unwrap_or("(the end)"),
    );
}
