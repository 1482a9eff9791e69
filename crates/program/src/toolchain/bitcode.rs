//! From a source file to bitcode.

use super::options::{CompileOptions, Language};
use super::{Clang, Rustc, ToolchainError};
use base::{OneLine, Stop};
use std::path::Path;

/// What a compiler made of a file.
pub(crate) struct Compiled {
    pub bitcode: Vec<u8>,
    /// What it said, if anything.
    pub warnings: String,
}

/// Compiles C and C++ with clang and Rust with rustc.
pub(crate) fn compile(
    file: &Path,
    options: &CompileOptions,
    stop: &Stop,
) -> Result<Compiled, ToolchainError> {
    let directory = tempfile::tempdir().map_err(|error| ToolchainError::NoTemporary {
        reason: error.to_string(),
    })?;
    let output = directory.path().join("module.bc");
    let purpose = format!("compile {}", file.one_line());
    let (command, warnings) = match Language::of(file) {
        Some(Language::Rust) => {
            let rustc = Rustc::find(options)?;
            ("rustc".to_owned(), rustc.bitcode(file, &output, stop)?)
        }
        Some(Language::C | Language::Cpp) | None => {
            let clang = Clang::find(options)?;
            let said = clang.bitcode(file, &output).run(&purpose, stop)?;
            (clang.command().to_owned(), said)
        }
    };
    // An argument such as -fsyntax-only makes a compiler succeed without output.
    let bitcode = std::fs::read(&output).map_err(|_| ToolchainError::Failed {
        command,
        purpose,
        diagnostics: match warnings.trim_end() {
            "" => "it succeeded, and wrote no bitcode".to_owned(),
            said => said.to_owned(),
        },
    })?;
    Ok(Compiled { bitcode, warnings })
}
