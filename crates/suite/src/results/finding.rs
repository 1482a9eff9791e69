//! Errors of the program under test.

use super::ErrorKind;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// An error of the program, where it is and the test that triggers it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Finding {
    /// What went wrong.
    pub kind: ErrorKind,
    /// The same in a sentence.
    pub message: String,
    /// The function it happened in.
    pub function: String,
    /// The source file; empty where the compiler says none.
    pub file: String,
    /// The line, from one; 0 where the compiler says none.
    pub line: u32,
    /// The test or the input that triggers it, within the directory of the run.
    pub test: String,
    /// How many executions met it, where many meet the same and one is kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub times: Option<u64>,
}

impl Finding {
    /// What makes two findings the same error of the program: many inputs lead to
    /// one line.
    pub fn identity(&self) -> (ErrorKind, &str, u32) {
        (self.kind, &self.file, self.line)
    }
}
