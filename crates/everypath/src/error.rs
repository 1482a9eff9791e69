//! Why a command could not do what it was asked to.
//!
//! A command either runs, and then says what it found, or it ends in one of
//! these, with status 2 also where it ran and met a mistake of its own. `main` is the one place that prints them, after `error:`, and turns
//! them into exit status 2; nobody else looks into the text of a message.

use base::OneLine;
use engine::SessionError;
use engine::policy::staged::{LayoutError, ParameterError};
use std::io;
use std::path::{Path, PathBuf};

/// Why a command could not run; its text is for the person at the terminal.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The flags contradict each other, the program, or what is possible. These
    /// messages name flags; those of libraries do not.
    #[error("{0}")]
    Usage(String),
    /// The program under test cannot be run in the way that was asked for.
    #[error("{0}")]
    Program(String),
    /// A file was read, and its content is not what it should be.
    #[error("{file}: {problem}")]
    Content { file: String, problem: String },
    /// A file or directory could not be read.
    #[error("cannot read {}: {source}", path.one_line())]
    Read { path: PathBuf, source: io::Error },
    /// A file or directory could not be written.
    #[error("cannot write {}: {source}", path.one_line())]
    Write { path: PathBuf, source: io::Error },
    /// The page of a run cannot be served.
    #[error("cannot serve the page of the run: {0}")]
    Live(io::Error),
    /// Nothing can be printed any more.
    #[error("cannot write to standard output: {0}")]
    Output(io::Error),
    /// Another program that is needed is missing, or failed.
    #[error("{0}")]
    Tool(String),
    /// A suite was built of another version of its invariant.
    #[error(
        "{file}: the code of `{invariant}` is not what the suite was built of; \
         build it anew with {remedy}"
    )]
    OutdatedSuite {
        file: String,
        invariant: String,
        /// The flag or the command that builds it again.
        remedy: &'static str,
    },
    /// Everypath itself is wrong, and said so where it happened.
    #[error(
        "{count} {what} ended in an internal error of everypath, which is not an error of \
         yours; please report it with the input"
    )]
    Internal { count: usize, what: &'static str },
    /// The stop token was set before there was anything to show.
    #[error("{why} before {what}")]
    Stopped { why: &'static str, what: String },
    /// Problems of a text with the lines they are in, rendered with a label each.
    #[error("{0}")]
    Diagnostics(String),
    #[error(transparent)]
    Start(#[from] machine::StartError),
    #[error(transparent)]
    Parameter(#[from] ParameterError),
    #[error(transparent)]
    Layout(#[from] LayoutError),
    #[error(transparent)]
    Session(SessionError),
    #[error(transparent)]
    Load(#[from] program::LoadError),
    #[error(transparent)]
    Compile(#[from] engine::CompileError),
    #[error(transparent)]
    Toolchain(#[from] program::ToolchainError),
    #[error(transparent)]
    Library(#[from] engine::LibraryError),
    #[error(transparent)]
    Suite(#[from] suite::SuiteError),
    #[error(transparent)]
    Table(#[from] mixed::oracle::TableError),
    #[error(transparent)]
    Function(#[from] mixed::oracle::Failure),
    #[error("{0}")]
    Goal(model::goal::UnknownGoal),
    #[error("cannot listen for Ctrl-C: {0}")]
    Signals(io::Error),
    /// A process that works for another one cannot.
    #[error("cannot serve another process: {0}")]
    Serve(io::Error),
    /// A worker process cannot work.
    #[error("a worker process cannot work: {0}")]
    Worker(String),
}

impl Error {
    /// For `map_err`: a failure to read this file or directory.
    pub fn reading(path: &Path) -> impl FnOnce(io::Error) -> Error + '_ {
        |source| Error::Read {
            path: path.to_owned(),
            source,
        }
    }

    /// For `map_err`: a failure to write this file or directory.
    pub fn writing(path: &Path) -> impl FnOnce(io::Error) -> Error + '_ {
        |source| Error::Write {
            path: path.to_owned(),
            source,
        }
    }

    /// A file whose content is not what it should be.
    pub fn content(file: impl ToString, problem: impl ToString) -> Error {
        Error::Content {
            file: file.to_string(),
            problem: problem.to_string(),
        }
    }
}
