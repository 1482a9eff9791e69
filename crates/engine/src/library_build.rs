//! Libraries that programs are linked with, compiled once and kept: many files, as many
//! at once as there are processors.

use base::{OneLine, Stop};
use program::ToolchainError;
use program::toolchain::CommandLine;
use sha2::{Digest, Sha256};
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Why there is no library.
#[derive(Debug, thiserror::Error)]
pub enum LibraryError {
    /// This is not where the sources are.
    #[error("{} does not hold the sources of {what}: {reason}", directory.one_line())]
    Sources {
        /// What was to be compiled.
        what: &'static str,
        /// Where it was looked for.
        directory: PathBuf,
        /// What the system says.
        reason: io::Error,
    },
    /// The library cannot be written.
    #[error("cannot write {}: {reason}", file.one_line())]
    Unwritable {
        /// The file.
        file: PathBuf,
        /// What the system says.
        reason: io::Error,
    },
    /// A file does not compile, or the compiler was stopped.
    #[error(transparent)]
    Toolchain(#[from] ToolchainError),
}

/// Hears how many files are done, and of how many.
pub type Progress<'a> = dyn Fn(usize, usize) + Sync + 'a;

/// A file to compile.
pub(crate) struct Job {
    /// What is compiled.
    pub file: PathBuf,
    /// How.
    pub command: CommandLine,
    /// What comes of it.
    pub object: PathBuf,
}

/// Compiles the files; gives what came of them, in the same order.
pub(crate) fn run(
    jobs: Vec<Job>,
    stop: &Stop,
    progress: &Progress<'_>,
) -> Result<Vec<PathBuf>, ToolchainError> {
    let next = AtomicUsize::new(0);
    let done = AtomicUsize::new(0);
    let failure: Mutex<Option<ToolchainError>> = Mutex::new(None);
    let work = || {
        while let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
            let purpose = format!("compile {}", job.file.one_line());
            if let Err(error) = job.command.run(&purpose, stop) {
                let mut failure = failure.lock().expect("no thread panics");
                failure.get_or_insert(error);
                next.store(jobs.len(), Ordering::Relaxed);
                return;
            }
            progress(done.fetch_add(1, Ordering::Relaxed) + 1, jobs.len());
        }
    };
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(work);
        }
    });
    match failure.into_inner().expect("no thread panics") {
        Some(error) => Err(error),
        None => Ok(jobs.into_iter().map(|job| job.object).collect()),
    }
}

/// A short name for what goes into a library: another version of it has another one, so
/// that a new Everypath does not take an old library for its own.
pub fn key<'a>(parts: impl IntoIterator<Item = &'a str>) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update(part.len().to_le_bytes());
        hash.update(part);
    }
    let bytes = &hash.finalize()[..6];
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The flag that has debug information and messages show a folder under another name.
pub(crate) fn prefix_map(folder: &Path, shown: &str) -> OsString {
    let mut flag = OsString::from("-ffile-prefix-map=");
    flag.push(folder);
    flag.push("=");
    flag.push(shown);
    flag
}
