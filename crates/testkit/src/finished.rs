//! What a command left when it ended.

use serde_json::Value as Json;
use std::process::{Command, Output};

/// A command that has ended.
#[derive(Debug)]
pub struct Finished {
    /// The exit status; none if a signal ended it.
    pub status: Option<i32>,
    /// Standard output, as text.
    pub stdout: String,
    /// Standard error, as text.
    pub stderr: String,
}

impl Finished {
    /// Runs the command until it ends.
    #[track_caller]
    pub fn of(command: &mut Command) -> Finished {
        match command.output() {
            Ok(output) => output.into(),
            Err(error) => panic!("{command:?}: {error}"),
        }
    }

    /// Whether the exit status is 0.
    pub fn success(&self) -> bool {
        self.status == Some(0)
    }

    /// Everything it said, standard error first.
    pub fn said(&self) -> String {
        format!("{}{}", self.stderr, self.stdout)
    }

    /// Checks that the exit status is 0.
    #[track_caller]
    pub fn succeeds(self) -> Finished {
        assert!(self.success(), "status {:?}\n{}", self.status, self.said());
        self
    }

    /// The one JSON value on standard output.
    #[track_caller]
    pub fn json(&self) -> Json {
        serde_json::from_str(&self.stdout)
            .unwrap_or_else(|error| panic!("standard output is not JSON: {error}\n{}", self.said()))
    }

    /// The message of a command that could not do its work: status 2 and nothing on
    /// standard output.
    #[track_caller]
    pub fn refusal(self) -> String {
        assert_eq!(self.status, Some(2), "{}", self.said());
        assert_eq!(self.stdout, "");
        self.stderr
    }
}

impl From<Output> for Finished {
    fn from(output: Output) -> Finished {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Finished {
            status: output.status.code(),
            stdout: text(&output.stdout),
            stderr: text(&output.stderr),
        }
    }
}
