//! What was compiled and how, so that it can be compiled again for a replay.

use super::Environment;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::Stub;

/// What was compiled and how, and where the session began in it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Recipe {
    /// The program's files; absolute in reports.
    pub files: Vec<PathBuf>,
    /// The directory the compiler worked in.
    pub directory: PathBuf,
    /// Directories with headers; absolute in reports.
    pub include: Vec<PathBuf>,
    /// Macros, `NAME` or `NAME=VALUE`.
    pub define: Vec<String>,
    /// The language standard, if one was given.
    pub std: Option<String>,
    /// How much the compiler optimised: 0, 1, 2, 3, s or z.
    #[serde(default = "unoptimised")]
    pub optimise: String,
    /// More arguments for the compiler.
    pub cc_args: Vec<String>,
    /// Whether the program is tests for GoogleTest, each of which was explored.
    #[serde(default)]
    pub googletest: bool,
    /// The framework of the program's tests whose failed checks are errors.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub framework: Option<TestFramework>,
    /// How a build system compiles files of the program.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub commands: Vec<FileCommand>,
    /// The most bytes of a symbolic standard input. The last input of each test
    /// is then the standard input.
    #[serde(default)]
    pub stdin: Option<usize>,
    /// What else the program finds around it.
    #[serde(default)]
    pub environment: Environment,
    /// Native libraries with functions the program calls.
    pub libraries: Vec<PathBuf>,
    /// Functions of the host that were run, as patterns.
    #[serde(default)]
    pub concrete: Vec<String>,
    /// Functions of the host that were said to be pure, as patterns.
    #[serde(default)]
    pub pure: Vec<String>,
    /// What functions without a body gave, by name.
    #[serde(default)]
    pub stubs: BTreeMap<String, Stub>,
    /// Whether threads access memory in one order that all of them see, so that there are no
    /// races.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ignore_races: bool,
    /// The function it began at.
    pub entry: String,
    /// The function that a driver called, which is the entry.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub function: Option<FunctionTarget>,
    /// The method that was called on objects made for it, instead of the entry.
    #[serde(default)]
    pub method: Option<String>,
}

/// A framework for tests in C++ that runs them itself and is listened to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum TestFramework {
    /// doctest.
    Doctest,
    /// Catch2, from version 3 on.
    Catch2,
}

/// A function under test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FunctionTarget {
    /// The function, by its name in the source or for the linker.
    pub name: String,
    /// What its arguments are made of.
    #[serde(flatten)]
    pub bounds: ArgumentBounds,
}

/// How large the arguments of a function under test are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ArgumentBounds {
    /// Elements of what a pointer to numbers points to.
    pub elements: u64,
    /// Bytes of texts, the zero at their end included.
    pub string: u64,
    /// Objects of each structure that pointers in objects may lead to.
    pub objects: u64,
    /// Whether pointers that are arguments may be null.
    pub null_arguments: bool,
}

/// How a build system compiles a file, as in its `compile_commands.json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FileCommand {
    /// The file, as it is among the program's files.
    pub file: PathBuf,
    /// The directory the compiler works in.
    pub directory: PathBuf,
    /// What the compiler is told, beside the file and what comes of it.
    pub arguments: Vec<String>,
}

fn unoptimised() -> String {
    "0".to_owned()
}

impl Recipe {
    /// These files, compiled where this process works and without options; it begins
    /// at `main`.
    pub fn of_files(files: impl IntoIterator<Item = impl Into<PathBuf>>) -> Recipe {
        Recipe {
            files: files.into_iter().map(Into::into).collect(),
            directory: PathBuf::from("."),
            optimise: unoptimised(),
            entry: "main".to_owned(),
            ..Recipe::default()
        }
    }

    /// The same with absolute paths, so that it can be followed from anywhere.
    pub fn absolute(&self) -> Recipe {
        // JSON is UTF-8; a path that is not loses characters here rather than the report.
        let absolute = |path: &PathBuf| {
            let path = std::path::absolute(path).unwrap_or_else(|_| path.clone());
            PathBuf::from(path.to_string_lossy().into_owned())
        };
        let all = |paths: &[PathBuf]| paths.iter().map(absolute).collect();
        Recipe {
            files: all(&self.files),
            directory: absolute(&self.directory),
            include: all(&self.include),
            commands: (self.commands.iter())
                .map(|command| FileCommand {
                    file: absolute(&command.file),
                    ..command.clone()
                })
                .collect(),
            libraries: all(&self.libraries),
            environment: Environment {
                host: all(&self.environment.host),
                ..self.environment.clone()
            },
            ..self.clone()
        }
    }

    /// Whether a compiler may have changed the program: it was asked to, or somebody
    /// else has compiled it.
    pub fn may_be_optimised(&self) -> bool {
        let is_source = |file: &PathBuf| {
            matches!(
                Language::of(file),
                Some(Language::C | Language::Cpp | Language::Rust)
            )
        };
        self.optimise != unoptimised() || !self.files.iter().all(is_source)
    }

    /// Whether a file of the program is in this language.
    pub fn has(&self, language: Language) -> bool {
        let mut languages = self.files.iter().map(|file| Language::of(file));
        languages.any(|found| found == Some(language))
    }
}

/// The language of a file, by its extension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// C.
    C,
    /// C++.
    Cpp,
    /// Rust.
    Rust,
    /// LLVM's text or bitcode, which has a front end behind it.
    Llvm,
}

impl Language {
    /// The language of a file, if its extension says.
    pub fn of(file: &Path) -> Option<Language> {
        match file.extension()?.to_str()? {
            "c" | "i" => Some(Language::C),
            "cc" | "cpp" | "cxx" => Some(Language::Cpp),
            "rs" => Some(Language::Rust),
            "ll" | "bc" => Some(Language::Llvm),
            _ => None,
        }
    }
}
