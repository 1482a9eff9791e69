//! Why a program could not be loaded, in words for the person at the terminal.

use crate::toolchain::ToolchainError;
use base::{OneLine, escape::visible};
use std::path::PathBuf;

/// Why a program could not be loaded.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LoadError {
    /// No file was given.
    #[error(
        "no program given: name at least one .c, .i, .cc, .cpp, .cxx, .rs, .ll, .bc, .o or .a file"
    )]
    NoInput,
    /// A function that is to be called cannot be.
    #[error("{reason}")]
    NoDriver {
        /// Why.
        reason: String,
    },
    /// A file cannot be read.
    #[error("cannot read {}: {reason}", file.one_line())]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// What the system says.
        reason: String,
    },
    /// A file is of no kind that can be loaded.
    #[error(
        "cannot tell what {} is: the name should end in .c, .i, .cc, .cpp, .cxx, .rs, .ll, .bc, .o or .a",
        file.one_line()
    )]
    UnknownKind {
        /// The file.
        file: PathBuf,
    },
    /// A compiler is missing, did not compile a file, or was stopped.
    #[error(transparent)]
    Toolchain(#[from] ToolchainError),
    /// A `.bc` file holds no bitcode at all.
    #[error(
        "{} is not LLVM bitcode: make it with `clang -g -emit-llvm -c` \
         or `rustc --emit=llvm-bc`",
        file.one_line()
    )]
    NotBitcode {
        /// The file.
        file: PathBuf,
    },
    /// An object file holds machine code alone.
    #[error(
        "{} is machine code without the bitcode it was made from: build it with \
         `everypath build -- make`, or whatever builds it",
        file.one_line()
    )]
    NoBitcode {
        /// The file.
        file: PathBuf,
    },
    /// An archive cannot be read.
    #[error("{} is no archive of bitcode: {reason}", file.one_line())]
    DamagedArchive {
        /// The file.
        file: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A `.bc` file is cut short or damaged.
    #[error("{} is damaged or cut short: {reason}; compile it again", file.one_line())]
    DamagedBitcode {
        /// The file.
        file: PathBuf,
        /// What LLVM says.
        reason: String,
    },
    /// A `.bc` file was written by an LLVM newer than the one used here.
    #[error(
        "{} was written by an LLVM newer than {reader}, which reads it here: {reason}; \
         compile it with clang {} or older",
        file.one_line(),
        reader.split('.').next().unwrap_or(reader)
    )]
    NewerBitcode {
        /// The file.
        file: PathBuf,
        /// The LLVM used here.
        reader: String,
        /// What LLVM says.
        reason: String,
    },
    /// A `.ll` file is no valid text. LLVM quotes the line of a mistake as it is.
    #[error("{} is not valid LLVM text:\n{}", file.one_line(), visible(reason.trim_end()))]
    Syntax {
        /// The file.
        file: PathBuf,
        /// What LLVM says, with line and column.
        reason: String,
    },
    /// A file can be read but breaks the rules of LLVM's language.
    #[error("{} breaks the rules of LLVM's language:\n{}", file.one_line(), reason.trim_end())]
    Invalid {
        /// The file.
        file: PathBuf,
        /// What LLVM's verifier says.
        reason: String,
    },
    /// A file was compiled for a machine that is not supported.
    #[error(
        "{} was compiled for {triple}, {reason}: compile it for a 64-bit little-endian \
         machine, as with `--target=x86_64-linux-gnu`",
        file.one_line()
    )]
    Target {
        /// The file.
        file: PathBuf,
        /// The machine, as a target triple.
        triple: String,
        /// What is wrong with it.
        reason: String,
    },
    /// Two files define the same function or variable.
    #[error(
        "`{symbol}` is defined in {} and in a file before it: leave one of the files out, \
         or make one of the definitions static",
        file.one_line()
    )]
    DefinedTwice {
        /// The second of them.
        file: PathBuf,
        /// What they define.
        symbol: String,
    },
    /// The files cannot be made one program.
    #[error("cannot link {} with the files before it: {reason}", file.one_line())]
    Link {
        /// The file that did not fit the ones before it.
        file: PathBuf,
        /// What LLVM says.
        reason: String,
    },
    /// Bitcode cannot be written to a file.
    #[error("cannot write {}", file.one_line())]
    Unwritable {
        /// The file.
        file: PathBuf,
    },
    /// LLVM could not transform the program.
    #[error("LLVM could not transform the program: {reason}")]
    Transform {
        /// What LLVM says.
        reason: String,
    },
}

impl LoadError {
    /// Whether the program was not loaded because nobody wants it any more.
    pub fn is_stopped(&self) -> bool {
        *self == LoadError::Toolchain(ToolchainError::Stopped)
    }
}
