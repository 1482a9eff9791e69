//! How the files of a program are compiled, whichever compiler does it.

use std::path::{Path, PathBuf};

/// How the files of a program are compiled.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CompileOptions {
    /// The clang to use; otherwise the first of those that are usually there.
    pub clang: Option<PathBuf>,
    /// Where the compiler works; otherwise where this process does.
    pub directory: Option<PathBuf>,
    /// Directories to look for headers in (`-I`); for Rust, for crates (`-L`).
    pub include_dirs: Vec<PathBuf>,
    /// A directory of headers of our own, searched before the others.
    pub headers: Option<PathBuf>,
    /// Macros to define (`-D`), as `NAME` or `NAME=VALUE`; for Rust `--cfg`.
    pub defines: Vec<String>,
    /// The language standard (`-std=`) or Rust's edition, for files of its language.
    pub std: Option<String>,
    /// How much the compiler optimises.
    pub opt_level: OptLevel,
    /// The standard library of C++ that programs are compiled with, if not the system's.
    pub cpp: Option<CppLibrary>,
    /// More arguments for clang.
    pub cc_args: Vec<String>,
    /// How a build system compiles files, for those that have such a command.
    pub commands: Vec<FileCommand>,
}

/// How a build system compiles one file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileCommand {
    /// The file.
    pub file: PathBuf,
    /// Where the compiler works.
    pub directory: PathBuf,
    /// What it is told, beside the file and what comes of it.
    pub arguments: Vec<String>,
}

/// A standard library of C++ that can be run by the machine and natively.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CppLibrary {
    /// Its headers.
    pub headers: PathBuf,
    /// The header that comes before all others.
    pub configuration: PathBuf,
    /// What debug information calls the folder of headers.
    pub shown_as: String,
    /// Its archives of bitcode for the machine.
    pub machine: Vec<PathBuf>,
    /// Its archives of native code.
    pub native: Vec<PathBuf>,
}

/// How much a compiler optimises.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum OptLevel {
    /// `-O0`: the code as it is written.
    #[default]
    None,
    /// `-O1`.
    Less,
    /// `-O2`.
    Default,
    /// `-O3`.
    Aggressive,
    /// `-Os`.
    Size,
    /// `-Oz`.
    MinSize,
}

impl OptLevel {
    /// The level by the name that follows `-O`.
    pub fn named(level: &str) -> Option<Self> {
        Some(match level {
            "0" => Self::None,
            "1" => Self::Less,
            "2" => Self::Default,
            "3" => Self::Aggressive,
            "s" => Self::Size,
            "z" => Self::MinSize,
            _ => return None,
        })
    }

    /// Clang's flag.
    pub fn flag(self) -> &'static str {
        match self {
            Self::None => "-O0",
            Self::Less => "-O1",
            Self::Default => "-O2",
            Self::Aggressive => "-O3",
            Self::Size => "-Os",
            Self::MinSize => "-Oz",
        }
    }

    /// What rustc calls it.
    pub(super) fn name(self) -> &'static str {
        self.flag().trim_start_matches("-O")
    }
}

impl CompileOptions {
    /// The command of a build system for a file.
    pub(super) fn command_for(&self, file: &Path) -> Option<&FileCommand> {
        self.commands.iter().find(|command| command.file == file)
    }

    /// The language standard, if it is one of the file's language: a program may have
    /// files of several, and one standard is given for all of them.
    pub(super) fn standard_for(&self, file: &Path) -> Option<&str> {
        let standard = self.std.as_deref()?;
        (language_of_standard(standard) == Language::of(file)?).then_some(standard)
    }
}

/// What a source file is written in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Language {
    C,
    Cpp,
    Rust,
}

impl Language {
    /// The language that the file's name tells.
    pub(crate) fn of(file: &Path) -> Option<Language> {
        match file.extension()?.to_str()? {
            "c" | "i" => Some(Language::C),
            "cc" | "cpp" | "cxx" => Some(Language::Cpp),
            "rs" => Some(Language::Rust),
            _ => None,
        }
    }
}

/// Editions of Rust are years; standards of C and C++ begin with the language.
fn language_of_standard(standard: &str) -> Language {
    let is_year = standard.len() == 4 && standard.bytes().all(|byte| byte.is_ascii_digit());
    match (is_year, standard.contains("++")) {
        (true, _) => Language::Rust,
        (false, true) => Language::Cpp,
        (false, false) => Language::C,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_standard_is_for_files_of_its_language() {
        let fits = |standard: &str, file: &str| {
            let options = CompileOptions {
                std: Some(standard.to_owned()),
                ..CompileOptions::default()
            };
            options.standard_for(Path::new(file)).is_some()
        };
        assert!(fits("c11", "a.c") && fits("gnu++20", "a.cc") && fits("2021", "a.rs"));
        assert!(!fits("c11", "a.cpp") && !fits("c++17", "a.c") && !fits("c11", "a.rs"));
        assert!(!fits("2021", "a.c") && !fits("c11", "a.ll"));
    }
}
