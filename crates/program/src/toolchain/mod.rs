//! The compilers: one place that looks for clang and rustc, writes every command line
//! they are given, runs them, and quotes a command for a person to type.
//!
//! The flags of a program ([`CompileOptions`]) reach the bitcode that is explored and
//! the native code that tests are replayed in by the same functions, so that the two
//! cannot come to mean different programs. A compiler can take minutes; it is ended
//! when the caller's [`Stop`](base::Stop) is set.

mod bitcode;
mod clang;
mod command;
mod find;
mod options;
mod rustc;
mod unit_test;
mod wrapper;

pub(crate) use bitcode::compile;
pub use clang::{Clang, Link};
pub use command::CommandLine;
pub use find::Tool;
pub(crate) use options::Language;
pub use options::{CompileOptions, CppLibrary, FileCommand, OptLevel};
pub use rustc::{AS_WRITTEN, Rustc};
pub use unit_test::UnitTestBuild;
pub use wrapper::{Invocation, variables};

use base::OneLine;
use std::path::PathBuf;

/// Why a compiler did not do what was asked of it.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ToolchainError {
    /// It is not installed, or not on the path.
    #[error("no {tool} found (tried {}): {}", tried.join(", "), tool.advice())]
    Missing {
        /// Which one.
        tool: Tool,
        /// The commands that were looked for.
        tried: Vec<String>,
    },
    /// The system does not run it.
    #[error("cannot run {command}: {reason}")]
    CannotRun {
        /// Its name.
        command: String,
        /// What the system says.
        reason: String,
    },
    /// It ran, and refused.
    #[error("{command} could not {purpose}:\n{diagnostics}")]
    Failed {
        /// Its name.
        command: String,
        /// What it was run for, as in "compile a.c".
        purpose: String,
        /// Everything it printed.
        diagnostics: String,
    },
    /// There is no place for its output.
    #[error("cannot make a temporary directory for the compiler: {reason}")]
    NoTemporary {
        /// What the system says.
        reason: String,
    },
    /// Rust was installed without the shared library that native replay links.
    #[error(
        "there is no shared standard library of Rust in {}: install the `rust-std` component",
        .0.one_line()
    )]
    NoRustLibrary(PathBuf),
    /// The caller's token was set, and the compiler was ended.
    #[error("the compiler was stopped")]
    Stopped,
}

impl From<base::Stopped> for ToolchainError {
    fn from(_: base::Stopped) -> ToolchainError {
        ToolchainError::Stopped
    }
}
