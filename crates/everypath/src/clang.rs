//! Clang as a program: found once, run with a message for what went wrong.

use crate::error::Error;
use std::path::Path;
use std::process::{Command, Stdio};

/// The commands tried, as `everypath run` tries them.
const COMPILERS: [&str; 2] = ["clang-22", "clang"];

/// The compiler, working in a directory.
pub struct Clang<'a> {
    command: &'static str,
    directory: &'a Path,
}

impl Clang<'_> {
    /// The compiler that is installed, to be run in this directory.
    pub fn find(directory: &Path) -> Result<Clang<'_>, Error> {
        let answers = |command: &&str| {
            let mut asked = Command::new(command);
            let asked = asked
                .arg("--version")
                .stdout(Stdio::null())
                .stderr(Stdio::null());
            asked.status().is_ok_and(|status| status.success())
        };
        let command = COMPILERS.into_iter().find(answers).ok_or_else(|| {
            Error::Tool(format!(
                "no clang found (tried {}); everypath doctor says how to get it",
                COMPILERS.join(", ")
            ))
        })?;
        Ok(Clang { command, directory })
    }

    /// Runs it; a failure says what it could not do.
    pub fn run(&self, arguments: &[String], purpose: &str) -> Result<(), Error> {
        let result = Command::new(self.command)
            .args(arguments)
            .current_dir(self.directory)
            .output()
            .map_err(|error| {
                Error::Tool(format!(
                    "cannot run {} in {}: {error}",
                    self.command,
                    self.directory.display()
                ))
            })?;
        if result.status.success() {
            return Ok(());
        }
        let said = String::from_utf8_lossy(&result.stderr);
        Err(Error::Tool(format!(
            "{} could not {purpose}:\n{}",
            self.command,
            said.trim_end()
        )))
    }
}
