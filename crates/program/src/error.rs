//! Why a program could not be loaded, in words for the person at the terminal.

use std::fmt;
use std::path::PathBuf;

/// Why a program could not be loaded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LoadError {
    /// No file was given.
    NoInput,
    /// A file cannot be read.
    Unreadable {
        /// The file.
        file: PathBuf,
        /// What the system says.
        reason: String,
    },
    /// A file is of no kind that can be loaded.
    UnknownKind {
        /// The file.
        file: PathBuf,
    },
    /// There is no clang to compile with.
    NoCompiler {
        /// The commands that were tried.
        tried: Vec<String>,
    },
    /// There is no rustc to compile with.
    NoRustCompiler,
    /// The compiler did not compile a file.
    Compile {
        /// The file.
        file: PathBuf,
        /// The command.
        compiler: String,
        /// Everything it printed.
        diagnostics: String,
    },
    /// Room for the compiler's output could not be made.
    NoTemporary {
        /// What the system says.
        reason: String,
    },
    /// A `.bc` file holds no bitcode at all.
    NotBitcode {
        /// The file.
        file: PathBuf,
    },
    /// A `.bc` file is cut short or damaged.
    DamagedBitcode {
        /// The file.
        file: PathBuf,
        /// What LLVM says.
        reason: String,
    },
    /// A `.bc` file was written by an LLVM newer than the one used here.
    NewerBitcode {
        /// The file.
        file: PathBuf,
        /// The LLVM used here.
        reader: String,
        /// What LLVM says.
        reason: String,
    },
    /// A `.ll` file is no valid text.
    Syntax {
        /// The file.
        file: PathBuf,
        /// What LLVM says, with line and column.
        reason: String,
    },
    /// A file can be read but breaks the rules of LLVM's language.
    Invalid {
        /// The file.
        file: PathBuf,
        /// What LLVM's verifier says.
        reason: String,
    },
    /// A file was compiled for a machine that is not supported.
    Target {
        /// The file.
        file: PathBuf,
        /// The machine, as a target triple.
        triple: String,
        /// What is wrong with it.
        reason: String,
    },
    /// Two files define the same function or variable.
    DefinedTwice {
        /// The second of them.
        file: PathBuf,
        /// What they define.
        symbol: String,
    },
    /// The files cannot be made one program.
    Link {
        /// The file that did not fit the ones before it.
        file: PathBuf,
        /// What LLVM says.
        reason: String,
    },
    /// Bitcode cannot be written to a file.
    Unwritable {
        /// The file.
        file: PathBuf,
    },
    /// LLVM could not transform the program.
    Transform {
        /// What LLVM says.
        reason: String,
    },
}

impl std::error::Error for LoadError {}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoInput => {
                write!(
                    f,
                    "no program given: name at least one .c, .cc, .cpp, .cxx, .rs, .ll or .bc file"
                )
            }
            Self::Unreadable { file, reason } => {
                write!(f, "cannot read {}: {reason}", file.display())
            }
            Self::UnknownKind { file } => write!(
                f,
                "cannot tell what {} is: the name should end in .c, .cc, .cpp, .cxx, .rs, .ll or .bc",
                file.display()
            ),
            Self::NoCompiler { tried } => write!(
                f,
                "no clang found (tried {}): install it, as with `apt-get install clang-22`, \
                 or name the one to use",
                tried.join(", ")
            ),
            Self::NoRustCompiler => write!(
                f,
                "no rustc found: install Rust, as with `apt-get install rustc`"
            ),
            Self::Compile {
                file,
                compiler,
                diagnostics,
            } => write!(
                f,
                "{compiler} could not compile {}:\n{}",
                file.display(),
                diagnostics.trim_end()
            ),
            Self::NoTemporary { reason } => {
                write!(
                    f,
                    "cannot make a temporary directory for the compiler: {reason}"
                )
            }
            Self::NotBitcode { file } => write!(
                f,
                "{} is not LLVM bitcode: make it with `clang -g -emit-llvm -c` \
                 or `rustc --emit=llvm-bc`",
                file.display()
            ),
            Self::DamagedBitcode { file, reason } => write!(
                f,
                "{} is damaged or cut short: {reason}; compile it again",
                file.display()
            ),
            Self::NewerBitcode {
                file,
                reader,
                reason,
            } => write!(
                f,
                "{} was written by an LLVM newer than {reader}, which reads it here: {reason}; \
                 compile it with clang {} or older",
                file.display(),
                reader.split('.').next().unwrap_or(reader)
            ),
            Self::Syntax { file, reason } => write!(
                f,
                "{} is not valid LLVM text:\n{}",
                file.display(),
                harmless(reason.trim_end())
            ),
            Self::Invalid { file, reason } => write!(
                f,
                "{} breaks the rules of LLVM's language:\n{}",
                file.display(),
                reason.trim_end()
            ),
            Self::Target {
                file,
                triple,
                reason,
            } => write!(
                f,
                "{} was compiled for {triple}, {reason}: compile it for a 64-bit little-endian \
                 machine, as with `--target=x86_64-linux-gnu`",
                file.display()
            ),
            Self::DefinedTwice { file, symbol } => write!(
                f,
                "`{symbol}` is defined in {} and in a file before it: leave one of the files out, \
                 or make one of the definitions static",
                file.display()
            ),
            Self::Link { file, reason } => {
                write!(
                    f,
                    "cannot link {} with the files before it: {reason}",
                    file.display()
                )
            }
            Self::Unwritable { file } => write!(f, "cannot write {}", file.display()),
            Self::Transform { reason } => {
                write!(f, "LLVM could not transform the program: {reason}")
            }
        }
    }
}

/// The text without what would steer a terminal: LLVM shows the line of a
/// mistake as it is.
fn harmless(text: &str) -> String {
    let steers = |c: char| c.is_control() && c != '\n' && c != '\t';
    text.replace(steers, "\u{fffd}")
}
