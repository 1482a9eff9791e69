//! What a run claims of its tests, and what happened held against it.

use super::native::{self, Ended, Ran};
use crate::error::Error;
use base::OneLine;
use serde::Serialize;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use suite::{End, ErrorKind, RunDirectory, RunReport, StoredTest};

/// The tests to replay, and what the run said of them.
pub struct Claims {
    pub directory: RunDirectory,
    pub report: RunReport,
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
            suite::read_test(&file)?;
            let name = file.file_stem().unwrap_or_default().to_string_lossy();
            let name = name.into_owned();
            let parent = file.parent().filter(|p| !p.as_os_str().is_empty());
            (parent.unwrap_or(Path::new(".")).to_owned(), Some(name))
        };
        let directory = RunDirectory::open(&directory)?;
        let run_json = directory.path.join("run.json");
        let report = directory.report.clone().ok_or_else(|| {
            Error::Program(format!(
                "there is no {}, which says what program the tests are for; \
                 is it a directory of KLEE's? Run the program again",
                run_json.one_line()
            ))
        })?;
        Ok(Claims {
            directory,
            report,
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

    /// How the run says that a test ends, if it followed the path to its end.
    pub fn predicted(&self, test: &StoredTest) -> Option<End> {
        test.end
    }

    /// The tests and their predicted ends, for people.
    pub fn listing(&self) -> String {
        let tests = self.tests();
        let mut text = String::new();
        for test in &tests {
            let end = self.predicted(test).map(|end| end.to_string());
            let end = end.unwrap_or("a limit stopped this path".to_owned());
            let _ = writeln!(text, "{}  {end}", test.name);
        }
        let count = super::count(tests.len(), "test");
        text + &format!("{count} to replay; --native runs them in the real program")
    }

    /// The tests and their predicted ends, for other programs.
    pub fn report(&self) -> Listing<'_> {
        let tests = self.tests().into_iter().map(|test| ListedTest {
            test: &test.name,
            predicted: self.predicted(test),
        });
        Listing {
            schema: suite::SCHEMA,
            native: false,
            tests: tests.collect(),
        }
    }
}

/// What `replay --json` prints when nothing is run.
#[derive(Serialize)]
pub struct Listing<'a> {
    schema: u64,
    native: bool,
    tests: Vec<ListedTest<'a>>,
}

#[derive(Serialize)]
struct ListedTest<'a> {
    test: &'a str,
    predicted: Option<End>,
}

fn looks_like_test(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.ends_with(".ktest") || (name.starts_with("test") && !path.exists())
}

/// Whether what happened is what the prediction allows. `checked` says that
/// sanitizers watched all the code.
pub fn agrees(predicted: Option<End>, ran: &Ran, checked: bool) -> Agreement {
    use Agreement::{Agrees, Allowed, Diverges};
    let holds = |condition: bool| if condition { Agrees } else { Diverges };
    if ran.ended == Ended::OtherTurns {
        return Allowed;
    }
    let kind = match predicted {
        Some(End::Error(kind)) => kind,
        // The system keeps eight bits.
        Some(End::Exit(status)) => return holds(ran.ended == Ended::Exit(status & 0xff)),
        // The path was not followed to its end, so nothing after it is wrong.
        None if ran.ended == Ended::NoTest => return Diverges,
        None => return Allowed,
    };
    match kind {
        ErrorKind::Assert | ErrorKind::UncaughtException => {
            holds(ran.ended == Ended::Signal(native::SIGABRT))
        }
        ErrorKind::Abort => holds(is_aborted(ran.ended)),
        ErrorKind::Panic => holds(ran.ended == Ended::Exit(PANICKED) || is_aborted(ran.ended)),
        // The machine could not follow; that says nothing about the program.
        ErrorKind::Unsupported | ErrorKind::Internal => Allowed,
        // Threads that do not go on show as that, or as no end in time.
        ErrorKind::Deadlock | ErrorKind::LostWakeUp => match ran.ended {
            Ended::Deadlock => Agrees,
            Ended::Late => Allowed,
            _ => Diverges,
        },
        // The system does not look for these.
        ErrorKind::DataRace | ErrorKind::LockMisuse => Allowed,
        _ if checked => holds(matches!(ran.ended, Ended::Sanitizer | Ended::Signal(_))),
        ErrorKind::Division if cfg!(target_arch = "x86_64") => holds(matches!(
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
            | Ended::Deadlock
            | Ended::OtherTurns
            | Ended::Late => Allowed,
        },
    }
}

/// The status of a Rust program whose main thread panics and unwinds.
const PANICKED: i32 = 101;

/// Signals that a program sends itself are as good as abort; those of the processor are
/// errors of other kinds.
fn is_aborted(ended: Ended) -> bool {
    let others = [native::SIGSEGV, native::SIGBUS, native::SIGFPE];
    matches!(ended, Ended::Signal(signal) if !others.contains(&signal))
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
