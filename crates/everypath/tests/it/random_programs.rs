//! Random C programs, run by the machine and natively: both print the same and
//! end the same way.
//!
//! `EVERYPATH_RANDOM=5000` makes so many programs instead of the usual few, and
//! `EVERYPATH_RANDOM_SEED=17` starts with another seed. The source of a program
//! that differs is kept, and the message says where.

mod expressions;
mod generator;
mod machine_run;
mod native;
mod odd_pieces;
mod pieces;
mod random;
mod records;
mod scalar;
mod statements;

use generator::{Flavour, generate};
use program::OptLevel;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::{env, fs, thread};

#[test]
fn random_programs_print_and_return_what_they_do_natively() {
    each_seed(60, |seed, directory| {
        let (file, level) = write(seed, Flavour::Concrete, directory);
        let native = native::run(&file, level)?;
        let machine = machine_run::concrete(&file, level)?;
        if machine == native {
            return Ok(());
        }
        let blame = match native::run(&file, OptLevel::None)? == machine {
            true => "\nnatively at -O0 it is as in the machine: clang's optimiser may be wrong",
            false => "",
        };
        Err(format!(
            "natively {native}\nin the machine {machine}{blame}"
        ))
    });
}

#[test]
fn every_byte_takes_one_path_of_a_random_program_and_ends_as_it_does_natively() {
    each_seed(24, |seed, directory| {
        let (file, level) = write(seed, Flavour::OneByte, directory);
        let native = native::run_on_every_byte(&file, level)?;
        let paths = machine_run::paths_of_one_byte(&file, level)?;
        for (byte, expected) in native.iter().enumerate() {
            let taken: Vec<_> = paths.iter().filter(|path| path.bytes[byte]).collect();
            let [path] = taken[..] else {
                return Err(format!("byte {byte} takes {} paths", taken.len()));
            };
            if path.byte == byte && path.ended != *expected {
                let found = &path.ended;
                return Err(format!(
                    "byte {byte} natively {expected}\nin the machine {found}"
                ));
            }
        }
        Ok(())
    });
}

/// What a program printed, and its status.
#[derive(PartialEq, Eq)]
struct Ended {
    printed: Vec<u8>,
    status: i32,
}

impl std::fmt::Display for Ended {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let printed = String::from_utf8_lossy(&self.printed);
        write!(f, "it ended with {} and printed\n{printed}", self.status)
    }
}

/// Checks a number of seeds on all cores, and tells of every one that fails.
fn each_seed(usual: u64, check: impl Fn(u64, &Path) -> Result<(), String> + Sync) {
    let number = |name: &str| -> Option<u64> {
        let text = env::var(name).ok()?;
        Some(
            text.parse()
                .unwrap_or_else(|_| panic!("{name} is a number")),
        )
    };
    let first = number("EVERYPATH_RANDOM_SEED").unwrap_or(1);
    let end = first + number("EVERYPATH_RANDOM").unwrap_or(usual);
    let scratch = tempfile::tempdir().expect("there is room for a directory");
    let next = AtomicU64::new(first);
    let work = || {
        let mut failures = Vec::new();
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= end {
                return failures;
            }
            let directory = scratch.path().join(seed.to_string());
            fs::create_dir(&directory).expect("the directory is ours");
            // A machine that panics has failed on this seed alone.
            let checked = catch_unwind(AssertUnwindSafe(|| check(seed, &directory)));
            match checked.unwrap_or_else(|_| Err("the machine panicked".to_owned())) {
                Ok(()) => fs::remove_dir_all(&directory).expect("the directory is ours"),
                Err(message) => failures.push(format!(
                    "seed {seed} ({}):\n{message}",
                    directory.join("program.c").display()
                )),
            }
        }
    };
    let workers = thread::available_parallelism().map_or(1, usize::from);
    let failures: Vec<String> = thread::scope(|scope| {
        let threads: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        let joined = threads.into_iter().map(|thread| thread.join());
        joined
            .flat_map(|failures| failures.expect("a worker does not panic"))
            .collect()
    });
    if !failures.is_empty() {
        let kept = scratch.keep();
        panic!(
            "{} programs differ, kept in {}\n{}",
            failures.len(),
            kept.display(),
            failures.join("\n")
        );
    }
}

/// Writes the program of a seed, and says how to compile it.
fn write(seed: u64, flavour: Flavour, directory: &Path) -> (PathBuf, OptLevel) {
    let file = directory.join("program.c");
    fs::write(&file, generate(seed, flavour)).expect("the directory is ours");
    let level = match seed % 8 {
        0 | 2 | 4 | 6 => OptLevel::None,
        1 | 3 => OptLevel::Default,
        5 => OptLevel::Aggressive,
        _ => OptLevel::Size,
    };
    (file, level)
}
