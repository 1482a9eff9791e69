//! The binary as it is installed: one file in a place of its own. Headers, C library,
//! Rust crate and replay runtime travel in it, so that the source tree may be gone.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use testkit::{Finished, Scratch, project};

const C_PROGRAM: &str = r#"
#include <everypath.h>
#include <stdio.h>
#include <stdlib.h>
static int compare(const void *a, const void *b) { return *(const char *)a - *(const char *)b; }
int main(void) {
    char letters[3];
    ep_symbolic(letters, 2, "letters");
    letters[2] = 'a';
    qsort(letters, 3, 1, compare);
    printf("%.3s\n", letters);
    return letters[0] > letters[2];
}
"#;

const RUST_PROGRAM: &str = r#"
#![no_main]

#[unsafe(no_mangle)]
pub extern "C" fn main() -> i32 {
    let value: i32 = everypath::symbolic(c"value");
    if value == 42 { 3 } else { 0 }
}
"#;

const LIST: &str = r#"
#include <stdbool.h>
#include <stddef.h>
struct Node { struct Node *next; };
struct List { struct Node *first; int size; };
bool isCounted(const struct List *list) {
    int count = 0;
    for (const struct Node *node = list->first; node != NULL; node = node->next)
        if (++count > 1)
            return false;
    return list->size == count;
}
"#;

/// A copy of the binary, and a folder to use it in.
struct Installation {
    prefix: Scratch,
    work: Scratch,
}

impl Installation {
    fn new() -> Installation {
        let (prefix, work) = (Scratch::new(), Scratch::new());
        work.write("sort.c", C_PROGRAM);
        work.write("guess.rs", RUST_PROGRAM);
        work.write("list.c", LIST);
        fs::create_dir(prefix.path("bin")).expect("the folder is the test's own");
        let binary = env!("CARGO_BIN_EXE_everypath");
        fs::copy(binary, prefix.path("bin/everypath")).expect("there is room for the binary");
        Installation { prefix, work }
    }

    /// Runs the copy with nothing of Cargo's in the environment but where Rust is.
    #[track_caller]
    fn everypath(&self, line: &str) -> Finished {
        let kept = [
            "PATH",
            "HOME",
            "RUSTUP_HOME",
            "CARGO_HOME",
            "RUSTUP_TOOLCHAIN",
        ];
        let kept = kept
            .iter()
            .filter_map(|&name| Some((name, std::env::var_os(name)?)));
        let kept: Vec<(&str, OsString)> = kept.collect();
        let mut command = Command::new(self.prefix.path("bin/everypath"));
        command
            .args(line.split_whitespace())
            .current_dir(self.work.folder())
            .env_clear()
            .envs(kept);
        Finished::of(&mut command)
    }
}

#[test]
fn a_copy_of_the_binary_runs_and_replays_programs_of_c() {
    let installation = Installation::new();
    installation.everypath("run sort.c").succeeds();
    let replayed = installation.everypath("replay everypath-last --native");
    let said = replayed.succeeds().stdout;
    assert!(
        said.contains(" 0 not contradicted, 0 divergences;"),
        "{said}"
    );
}

#[test]
fn a_copy_of_the_binary_runs_and_replays_programs_of_rust() {
    let installation = Installation::new();
    let ran = installation.everypath("run guess.rs").succeeds().stdout;
    assert!(ran.contains("2: 2 completed"), "{ran}");
    let replayed = installation.everypath("replay everypath-last --native");
    let said = replayed.succeeds().stdout;
    assert!(said.contains("2 tests replayed: 2 as predicted"), "{said}");
}

#[test]
fn a_copy_of_the_binary_builds_suites_and_says_what_is_installed() {
    let installation = Installation::new();
    let build = "stage build list.c --object List --invariant isCounted -o lists.stage";
    installation.everypath(build).succeeds();
    let shown = installation.everypath("stage show lists.stage").succeeds();
    let first = shown.stdout.lines().next();
    assert_eq!(first, Some("2 objects of List that satisfy isCounted"));
    let doctor = installation.everypath("doctor").succeeds().stdout;
    assert!(doctor.contains("\neverything"), "{doctor}");
}

#[test]
fn the_built_in_library_names_no_path_of_the_machine_that_built_it() {
    let top = project("")
        .to_string_lossy()
        .trim_end_matches('/')
        .to_owned();
    for (name, bitcode) in machine::runtime::LIBRARY {
        let text = String::from_utf8_lossy(bitcode);
        assert!(
            !text.contains(&top),
            "{name} was compiled in {top} and says so"
        );
    }
}

#[test]
fn no_code_of_the_product_looks_for_the_source_tree() {
    let mut folders: Vec<PathBuf> = entries(&project("crates"))
        .into_iter()
        // What measures and what tests are run from the source tree.
        .filter(|it| !it.ends_with("bench") && !it.ends_with("testkit"))
        .map(|it| it.join("src"))
        .collect();
    while let Some(folder) = folders.pop() {
        for path in entries(&folder) {
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = fs::read_to_string(&path).expect("sources are text");
            let name = "CARGO_MANIFEST_DIR";
            assert!(!text.contains(name), "{} uses {name}", path.display());
        }
    }
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("it is part of the project");
    let paths = entries.map(|entry| entry.expect("it can be read").path());
    paths.collect()
}

#[test]
fn make_install_puts_programs_manual_pages_and_completions_in_place() {
    let (scratch, binary) = (Scratch::new(), Path::new(env!("CARGO_BIN_EXE_everypath")));
    let built = binary.parent().expect("a program is in a folder");
    let prefix = scratch.path("a prefix");
    let variable = |name: &str, path: &Path| {
        let mut word = OsString::from(format!("{name}="));
        word.push(path);
        word
    };
    let mut make = Command::new("make");
    make.arg("-C").arg(project("")).arg("install-files");
    make.args([variable("BUILT", built), variable("PREFIX", &prefix)]);
    Finished::of(&mut make).succeeds();
    let mut version = Command::new(prefix.join("bin/everypath"));
    let version = Finished::of(version.arg("--version")).succeeds().stdout;
    assert!(version.starts_with("everypath "), "{version}");
    for program in ["everypath-cc", "everypath-c++", "cargo-everypath"] {
        assert!(prefix.join("bin").join(program).exists(), "{program}");
    }
    for (file, word) in [
        ("man/man1/everypath.1", ".TH everypath 1"),
        ("man/man1/everypath-run.1", "\\-\\-max\\-time"),
        ("bash-completion/completions/everypath", "--max-time"),
        ("zsh/site-functions/_everypath", "#compdef everypath"),
        ("fish/vendor_completions.d/everypath.fish", "-l max-time"),
    ] {
        let text = fs::read_to_string(prefix.join("share").join(file)).unwrap_or_default();
        assert!(text.contains(word), "{file}: {text}");
    }
}
