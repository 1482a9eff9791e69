//! Errors of the program under test, with what a person needs to understand them.

use crate::error::Error;
use crate::{Outcome, diagnostic};
use base::OneLine;
use engine::report::{self, SourceFrame};
use machine::runtime::is_library;
use machine::{ErrorKind, State};
use program::Program;
use serde::{Deserialize, Serialize};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use suite::Finding;

/// How a session with these findings ended.
pub fn outcome(findings: &[Finding]) -> Result<Outcome, Error> {
    let internal = findings
        .iter()
        .filter(|it| it.kind == suite::ErrorKind::Internal);
    match (internal.count(), findings.is_empty()) {
        (0, true) => Ok(Outcome::Clean),
        (0, false) => Ok(Outcome::Found),
        (count, _) => Err(Error::Internal {
            count,
            what: "paths",
        }),
    }
}

/// An error of the program, and what it takes to understand it.
#[derive(Debug, Serialize, Deserialize)]
pub struct Diagnosis {
    /// What reports keep of it.
    pub finding: Finding,
    column: u32,
    /// The calls it happened in, innermost first.
    stack: Vec<SourceFrame>,
    /// The input that triggers it.
    pub inputs: String,
    /// How to see it again, a line each.
    pub again: String,
}

impl Diagnosis {
    /// An error where the state is.
    pub fn at(program: &Program, state: &State, kind: ErrorKind, message: &str) -> Diagnosis {
        let stack = report::stack(program, state);
        let (finding, column) = report::finding(&stack, kind, message, "");
        Diagnosis {
            finding,
            column,
            stack,
            inputs: String::new(),
            again: String::new(),
        }
    }

    /// An error without a place in the program.
    pub fn of_the_tool(finding: Finding, inputs: String) -> Diagnosis {
        Diagnosis {
            finding,
            column: 0,
            stack: Vec::new(),
            inputs,
            again: String::new(),
        }
    }

    /// The calls without those of libraries that a person did not write and that say
    /// nothing: what leads to `main` or to a thread, and the way from a panic or a throw
    /// to where the machine stopped.
    fn shown_stack(&self) -> &[SourceFrame] {
        let is_own = |frame: &SourceFrame| !frame.file.is_empty() && !is_library(&frame.file);
        let end = self
            .stack
            .iter()
            .rposition(is_own)
            .map_or(self.stack.len(), |last| last + 1);
        let start = match self.finding.kind {
            suite::ErrorKind::Panic | suite::ErrorKind::UncaughtException => {
                let place = (&self.finding.file, self.finding.line);
                let is_place = |frame: &SourceFrame| (&frame.file, frame.line) == place;
                self.stack.iter().position(is_place).unwrap_or_default()
            }
            _ => 0,
        };
        &self.stack[start..end]
    }

    /// What a person is shown of it.
    pub fn text(&self) -> String {
        let finding = &self.finding;
        let message = match finding.kind {
            // The message says so itself.
            suite::ErrorKind::Unsupported => finding.message.clone(),
            kind => format!("{kind}: {}", finding.message),
        };
        let place = (&finding.file, finding.line);
        let frame = self.stack.iter().find(|it| (&it.file, it.line) == place);
        let file = frame.map_or(PathBuf::from(&finding.file), from_here);
        // Not all source is UTF-8.
        let source = std::fs::read(&file).unwrap_or_default();
        let source = String::from_utf8_lossy(&source);
        let mut text = if finding.line > 0 {
            let column = self.column.max(1);
            let file = file.one_line().to_string();
            diagnostic::at_place(&file, &source, finding.line, column, &message)
        } else {
            format!("error: {message}, in {}", finding.function)
        };
        for (depth, frame) in self.shown_stack().iter().enumerate() {
            let caller = if depth == 0 { "in" } else { "called from" };
            let (function, file, line) = (&frame.function, frame.file.one_line(), frame.line);
            let _ = write!(text, "\n  {caller} {function} ({file}:{line})");
        }
        if !self.inputs.is_empty() {
            let indented = self.inputs.trim_end().replace('\n', "\n    ");
            let _ = write!(text, "\n  input ({}):\n    {indented}", finding.test);
        }
        text + &self.again + "\n"
    }
}

/// The file of a call by a name that leads there from where the user is: cargo has crates compiled
/// in folders of their own, and the compiler's name may lead nowhere or to another crate's file.
fn from_here(frame: &SourceFrame) -> PathBuf {
    let (named, whole) = (PathBuf::from(&frame.file), Path::new(&frame.path));
    let is_same = named.canonicalize().ok() == whole.canonicalize().ok();
    if is_same || !whole.exists() {
        return named;
    }
    let here = std::env::current_dir().unwrap_or_default();
    whole.strip_prefix(here).unwrap_or(whole).to_owned()
}
