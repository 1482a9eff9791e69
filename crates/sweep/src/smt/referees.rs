//! The other solvers, in a Python process that stays.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// The script of the process.
const SERVER: &str = include_str!("referees.py");

/// Solvers that others wrote.
pub struct Referees {
    process: Child,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Referees {
    /// Starts them with a Python that has their packages.
    pub fn start(python: &Path) -> Result<Referees, String> {
        let mut process = Command::new(python)
            .args(["-c", SERVER])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| {
                let path = python.display();
                format!("cannot run {path}: {error}; `make sweep` installs what it needs")
            })?;
        let requests = process.stdin.take().expect("standard input is piped");
        let answers = process.stdout.take().expect("standard output is piped");
        Ok(Referees {
            process,
            requests,
            answers: BufReader::new(answers),
        })
    }

    /// What they say of a script with one `check-sat`, by name; no more are asked when
    /// one has said `enough`.
    pub fn ask(
        &mut self,
        script: &str,
        seconds: u64,
        enough: &str,
    ) -> Result<Vec<(String, String)>, String> {
        let gone = |error: &dyn std::fmt::Display| {
            format!("the referees are gone: {error}; are z3-solver, bitwuzla and cvc5 installed?")
        };
        let request = json!({"script": script, "seconds": seconds, "enough": enough});
        writeln!(self.requests, "{request}").map_err(|error| gone(&error))?;
        let mut line = String::new();
        self.answers
            .read_line(&mut line)
            .map_err(|error| gone(&error))?;
        let answers: Value = serde_json::from_str(&line).map_err(|error| gone(&error))?;
        let answers = answers.as_object().into_iter().flatten();
        let answers = answers.map(|(name, answer)| {
            let answer = answer.as_str().unwrap_or_default();
            (name.clone(), answer.to_owned())
        });
        Ok(answers.collect())
    }
}

impl Drop for Referees {
    fn drop(&mut self) {
        // It may be gone already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
