//! What the tests of this folder share: running the readers written in Python,
//! and the compiler.

// Each test file is a crate of its own and uses some of these.
#![allow(dead_code)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Runs a Python program of this folder and returns what it prints.
pub fn python(script: &str, args: &[PathBuf]) -> String {
    let script = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests")
        .join(script);
    let output = Command::new("python3")
        .arg(&script)
        .args(args)
        .output()
        .unwrap_or_else(|error| {
            panic!("this test needs python3 and could not run it: {error}; install python3")
        });
    succeed(&format!("{}", script.display()), &output);
    String::from_utf8(output.stdout).expect("the readers print JSON, which is UTF-8")
}

/// A file or folder of `runtime/`.
pub fn runtime(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../runtime")
        .join(path)
}

/// The C files of a folder of `runtime/`, in the order of their names.
pub fn c_files(folder: &str) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(runtime(folder))
        .expect("the folder is part of the repository")
        .map(|entry| entry.expect("the folder can be read").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .collect();
    files.sort();
    files
}

/// Clang, as Debian names it or as others do.
pub fn clang() -> Command {
    let is_there = |name: &&str| Command::new(name).arg("--version").output().is_ok();
    let name = ["clang-22", "clang"]
        .into_iter()
        .find(is_there)
        .unwrap_or_else(|| {
            panic!("this test needs clang-22 or clang; `scripts/install-dependencies` installs it")
        });
    Command::new(name)
}

/// Runs a program that must succeed.
pub fn run(command: &mut Command) -> Output {
    let name = format!("{command:?}");
    let output = command
        .output()
        .unwrap_or_else(|error| panic!("{name} cannot be run: {error}"));
    succeed(&name, &output);
    output
}

fn succeed(name: &str, output: &Output) {
    assert!(
        output.status.success(),
        "{name}: {}\n{}{}",
        output.status,
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
}
