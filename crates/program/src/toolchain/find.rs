//! Where the compilers are.

use super::ToolchainError;
use std::fmt;
use std::path::{Path, PathBuf};

/// A compiler that programs are compiled with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tool {
    /// For C and C++, for LLVM files, and to link.
    Clang,
    /// For Rust.
    Rustc,
}

impl Tool {
    /// The commands looked for, the best first: bitcode of the LLVM that is linked
    /// here is sure to be read.
    pub fn commands(self) -> &'static [&'static str] {
        match self {
            Tool::Clang => &["clang-22", "clang"],
            Tool::Rustc => &["rustc"],
        }
    }

    pub(super) fn advice(self) -> &'static str {
        match self {
            Tool::Clang => "install it, as with `apt-get install clang-22`",
            Tool::Rustc => "install Rust, as with `apt-get install rustc`",
        }
    }

    /// The first of the commands that is installed.
    pub(super) fn find(self) -> Result<Installed, ToolchainError> {
        let found = self.commands().iter().copied().find_map(installed);
        found.ok_or_else(|| ToolchainError::Missing {
            tool: self,
            tried: self.commands().iter().map(|&it| it.to_owned()).collect(),
        })
    }

    /// This very one: a file, or a command on the path.
    pub(super) fn named(self, command: &Path) -> Result<Installed, ToolchainError> {
        let name = command.to_string_lossy().into_owned();
        installed(&name).ok_or(ToolchainError::Missing {
            tool: self,
            tried: vec![name],
        })
    }
}

impl fmt::Display for Tool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Tool::Clang => "clang",
            Tool::Rustc => "rustc",
        })
    }
}

/// A compiler that is there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Installed {
    /// What a person calls it.
    pub name: String,
    /// The file, so that changing the directory or the environment changes nothing.
    pub path: PathBuf,
}

fn installed(name: &str) -> Option<Installed> {
    let path = which::which(name).ok()?;
    Some(Installed {
        name: name.to_owned(),
        path,
    })
}
