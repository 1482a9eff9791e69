//! What can go wrong with files, in words for the person at the terminal.

use std::fmt;
use std::io;
use std::path::PathBuf;

use crate::ktest::KtestError;

/// A file or directory that could not be read or written.
#[derive(Debug)]
pub enum SuiteError {
    /// A file could not be read.
    Read {
        /// The file or directory.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// What should be the directory of a run is none.
    NoDirectory {
        /// What was given.
        path: PathBuf,
    },
    /// A file could not be written.
    Write {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// No output directory could be made.
    CreateDirectory {
        /// The directory that was to be made.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The output directory is there already and holds something.
    DirectoryInUse {
        /// The directory.
        path: PathBuf,
    },
    /// A `.ktest` file is not one.
    Ktest {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: KtestError,
    },
    /// `run.json` does not hold what it should.
    RunJson {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: serde_json::Error,
    },
    /// The directory is not one a run has written.
    NotARun {
        /// The directory.
        path: PathBuf,
    },
}

impl fmt::Display for SuiteError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SuiteError::Read { path, source } => {
                write!(out, "cannot read {}: {source}", path.display())
            }
            SuiteError::NoDirectory { path } => write!(
                out,
                "there is no directory {}; give one that `everypath run` has written",
                path.display()
            ),
            SuiteError::Write { path, source } => write!(
                out,
                "cannot write {}: {source}; check that the disk has room and the directory is still there",
                path.display()
            ),
            SuiteError::CreateDirectory { path, source } => write!(
                out,
                "cannot create the output directory {}: {source}; choose a directory you may write to",
                path.display()
            ),
            SuiteError::DirectoryInUse { path } => write!(
                out,
                "the output directory {} is not empty; remove it or choose another",
                path.display()
            ),
            SuiteError::Ktest { path, source } => write!(out, "{}: {source}", path.display()),
            SuiteError::RunJson { path, source } => write!(
                out,
                "{}: {source}; remove the file to read the tests without it",
                path.display()
            ),
            SuiteError::NotARun { path } => write!(
                out,
                "{} holds neither tests nor a run.json; give a directory that `everypath run` has written",
                path.display()
            ),
        }
    }
}

impl std::error::Error for SuiteError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            SuiteError::Read { source, .. }
            | SuiteError::Write { source, .. }
            | SuiteError::CreateDirectory { source, .. } => Some(source),
            SuiteError::Ktest { source, .. } => Some(source),
            SuiteError::RunJson { source, .. } => Some(source),
            SuiteError::NoDirectory { .. }
            | SuiteError::DirectoryInUse { .. }
            | SuiteError::NotARun { .. } => None,
        }
    }
}
