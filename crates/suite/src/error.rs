//! What can go wrong with files, in words for the person at the terminal.

use base::OneLine;
use std::io;
use std::path::PathBuf;

use crate::ktest::KtestError;
use crate::lcov::BadTracefile;
use crate::results::SCHEMA;

/// A file or directory that could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum SuiteError {
    /// A journal that is none.
    #[error("{}: this is not the journal of a run", path.one_line())]
    Journal {
        /// The file.
        path: PathBuf,
    },
    /// Another process writes to the directory.
    #[error("{}: another process writes to this directory; wait for it, or end it", path.one_line())]
    Locked {
        /// The directory.
        path: PathBuf,
    },
    /// A directory has fewer tests than its journal says.
    #[error("{}: {found} of {wanted} finished tests are there, and the run cannot go on without the others", path.one_line())]
    TestsMissing {
        /// The directory.
        path: PathBuf,
        /// How many should be there.
        wanted: u64,
        /// How many are.
        found: u64,
    },
    /// A file could not be read.
    #[error("cannot read {}: {source}", path.one_line())]
    Read {
        /// The file or directory.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// What should be the directory of a run is none.
    #[error("there is no directory {}; give one that `everypath run` has written", path.one_line())]
    NoDirectory {
        /// What was given.
        path: PathBuf,
    },
    /// A file could not be written.
    #[error(
        "cannot write {}: {source}; check that the disk has room and the directory is still there",
        path.one_line()
    )]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// No output directory could be made.
    #[error(
        "cannot create the output directory {}: {source}; choose a directory you may write to",
        path.one_line()
    )]
    CreateDirectory {
        /// The directory that was to be made.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The output directory is there already and holds something.
    #[error("the output directory {} is not empty; remove it or choose another", path.one_line())]
    DirectoryInUse {
        /// The directory.
        path: PathBuf,
    },
    /// A `.ktest` file is not one.
    #[error("{}: {source}", path.one_line())]
    Ktest {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: KtestError,
    },
    /// An archive of tests is damaged.
    #[error("{}: {reason}, after {after} whole tests", path.one_line())]
    Archive {
        /// The archive.
        path: PathBuf,
        /// How many tests before the damage can be used.
        after: u64,
        /// What is wrong with it.
        reason: String,
    },
    /// `run.json` does not hold what it should.
    #[error("{}: {source}; remove the file to read the tests without it", path.one_line())]
    RunJson {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: serde_json::Error,
    },
    /// `coverage.info` is not what a run writes.
    #[error("{}: {source}; run the program again", path.one_line())]
    Coverage {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: BadTracefile,
    },
    /// `run.json` was written by a version whose reports have other fields.
    #[error(
        "{}: it has schema {found}, and this version reads schema {SCHEMA}; run the program again",
        path.one_line()
    )]
    Schema {
        /// The file.
        path: PathBuf,
        /// The schema it says it has.
        found: u64,
    },
    /// The directory is not one a run has written.
    #[error(
        "{} holds neither tests nor a run.json; give a directory that `everypath run` has written",
        path.one_line()
    )]
    NotARun {
        /// The directory.
        path: PathBuf,
    },
}

impl SuiteError {
    /// Whether something could not be written because the disk, or the user's share of it,
    /// is full.
    pub(crate) fn is_for_lack_of_room(&self) -> bool {
        use io::ErrorKind::{QuotaExceeded, StorageFull};
        matches!(
            self,
            SuiteError::Write { source, .. } if matches!(source.kind(), StorageFull | QuotaExceeded)
        )
    }
}
