//! What a run claims of its tests, and what happened held against it.

use super::ends::Ends;
use super::native::{self, Ended, Ran};
use crate::error::Error;
use serde_json::{Value as Json, json};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use suite::{RunDirectory, StoredTest};

/// The tests to replay, and what the run said of them.
pub struct Claims {
    pub directory: RunDirectory,
    pub run: Json,
    pub ends: Ends,
    /// The one test asked for, if not all.
    only: Option<String>,
}

impl Claims {
    pub fn read(path: &Path) -> Result<Claims, Error> {
        let (directory, only) = if path.is_dir() || !looks_like_test(path) {
            (path.to_owned(), None)
        } else {
            let file = crate::show::find(path)?;
            // A torn file is told of here, where it is the one asked for.
            suite::ktest::read(&file)?;
            let name = file.file_stem().unwrap_or_default().to_string_lossy();
            let name = name.into_owned();
            let parent = file.parent().filter(|p| !p.as_os_str().is_empty());
            (parent.unwrap_or(Path::new(".")).to_owned(), Some(name))
        };
        let directory = RunDirectory::open(&directory)?;
        let run_json = directory.path.join("run.json");
        let run = directory.run.clone().ok_or_else(|| {
            Error::Program(format!(
                "there is no {}, which says what program the tests are for; \
                 the run was killed before its end, or KLEE's: run the program again",
                run_json.display()
            ))
        })?;
        let ends =
            Ends::read(Some(&run)).map_err(|reason| Error::content(run_json.display(), reason))?;
        Ok(Claims {
            directory,
            run,
            ends,
            only,
        })
    }

    pub fn run_json(&self) -> PathBuf {
        self.directory.path.join("run.json")
    }

    pub fn tests(&self) -> Vec<&StoredTest> {
        let asked = |test: &&StoredTest| self.only.as_ref().is_none_or(|only| *only == test.name);
        self.directory.tests.iter().filter(asked).collect()
    }

    pub fn listing(&self, as_json: bool) -> String {
        let tests = self.tests();
        let ends = tests.iter().map(|test| self.ends.of(&test.name));
        if as_json {
            let listed: Vec<Json> = tests
                .iter()
                .zip(ends)
                .map(|(test, end)| json!({"test": test.name, "predicted": end}))
                .collect();
            return json!({"schema": 1, "native": false, "tests": listed}).to_string();
        }
        let mut text = String::new();
        for (test, end) in tests.iter().zip(ends) {
            let end = end.unwrap_or("a limit stopped this path".to_owned());
            let _ = writeln!(text, "{}  {end}", test.name);
        }
        let count = super::count(tests.len(), "test");
        text + &format!("{count} to replay; --native runs them in the real program")
    }
}

fn looks_like_test(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.ends_with(".ktest") || (name.starts_with("test") && !path.exists())
}

/// Whether what happened is what the prediction allows. `checked` says that
/// sanitizers watched all the code.
pub fn agrees(predicted: Option<&str>, ran: &Ran, checked: bool) -> Agreement {
    use Agreement::{Agrees, Allowed, Diverges};
    let holds = |condition: bool| if condition { Agrees } else { Diverges };
    let Some(predicted) = predicted else {
        // The path was not followed to its end, so nothing after it is wrong.
        return match ran.ended {
            Ended::NoTest => Diverges,
            _ => Allowed,
        };
    };
    if let Some(status) = predicted.strip_prefix("exit ") {
        let status: Option<i32> = status.parse().ok();
        // The system keeps eight bits.
        let kept = status.map(|status| status & 0xff);
        return holds(matches!(ran.ended, Ended::Exit(status) if Some(status) == kept));
    }
    match predicted {
        "assert" => holds(ran.ended == Ended::Signal(native::SIGABRT)),
        "abort" => {
            let signals = [native::SIGABRT, native::SIGILL, native::SIGTRAP];
            holds(matches!(ran.ended, Ended::Signal(signal) if signals.contains(&signal)))
        }
        // The machine could not follow; that says nothing about the program.
        "unsupported" => Allowed,
        _ if checked => holds(matches!(ran.ended, Ended::Sanitizer | Ended::Signal(_))),
        "division" if cfg!(target_arch = "x86_64") => holds(matches!(
            ran.ended,
            Ended::Sanitizer | Ended::Signal(native::SIGFPE)
        )),
        _ => match &ran.ended {
            Ended::Signal(_) | Ended::Sanitizer => Agrees,
            Ended::NoTest | Ended::OtherInputs => Diverges,
            Ended::Exit(_)
            | Ended::MoreInputs
            | Ended::Assumption
            | Ended::Ignored
            | Ended::Late => Allowed,
        },
    }
}

/// What a prediction and what happened have to do with each other.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Agreement {
    /// It happened.
    Agrees,
    /// It was not seen, and nothing speaks against it.
    Allowed,
    /// Something else happened.
    Diverges,
}
