//! The tests of a target, each explored under its limits.

use super::CommonArguments;
use super::build::{Built, Target};
use super::entry::Entry;
use super::ordinary::{self, Harness};
use crate::error::Error;
use crate::finding::Diagnosis;
use crate::session_error::explained;
use base::Stop;
use engine::{Observer, Options, PathEnd, Plan, Session, Start};
use explore::Limits;
use machine::{End, ErrorKind};
use mixed::Mixed;
use program::Program;
use serde::Serialize;
use solver::{Config, Solver};
use std::path::Path;
use suite::{Argument, Finding, PathCounts, Recipe, TestCase, ktest};

/// The tests of a target.
pub(super) struct Tests<'t> {
    target: &'t Target,
    recipe: Recipe,
    built: &'t Built,
    program: Program,
}

/// What came of a test.
#[derive(Serialize)]
pub(super) struct TestResult {
    pub name: String,
    pub target: String,
    pub verdict: Verdict,
    /// Whether every path was followed to its end.
    pub complete: bool,
    pub paths: PathCounts,
    pub errors: Vec<Finding>,
    pub notes: Vec<String>,
    /// What a person is shown of the errors.
    #[serde(skip)]
    pub shown: Vec<String>,
}

/// What is to be said of a test.
#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Verdict {
    /// It holds for every input.
    Passed,
    /// It does not hold for some input.
    Failed,
    /// No error was found before a limit was reached, or something was left out.
    Unfinished,
    /// It was not explored.
    Ignored,
}

impl<'t> Tests<'t> {
    /// Links the program of a target.
    pub fn of(
        target: &'t Target,
        built: &'t Built,
        arguments: &CommonArguments,
        stop: &Stop,
    ) -> Result<Tests<'t>, Error> {
        let recipe = Recipe::of_files(&target.bitcode);
        let session = Session::new(recipe.clone(), options(built, arguments, stop));
        let program = session.load().map_err(|error| explained(error, None))?;
        Ok(Tests {
            target,
            recipe,
            built,
            program,
        })
    }

    /// All of them, in the order of names.
    pub fn all(&self, arguments: &CommonArguments, stop: &Stop) -> Result<Vec<Entry>, Error> {
        let mut entries = Entry::all(&self.program);
        if self.target.is_fuzz {
            for entry in &mut entries {
                entry.name = self.target.name.clone();
            }
        }
        if let Some(harness) = Harness::of(&self.program) {
            let list = self.recipe_of(harness.symbol(), Some(ordinary::LIST));
            let session = Session::new(list, options(self.built, arguments, stop));
            entries.extend(harness.properties(session)?);
        }
        entries.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(entries)
    }

    /// The target, begun at another function, which may take an argument.
    fn recipe_of(&self, entry: &str, argument: Option<&str>) -> Recipe {
        let mut recipe = self.recipe.clone();
        entry.clone_into(&mut recipe.entry);
        let argument = argument.map(|it| Argument::Concrete(it.to_owned()));
        recipe.environment.arguments = argument.into_iter().collect();
        recipe
    }

    /// Explores a test, and saves its cases if that is wanted.
    pub fn explore(
        &self,
        test: &Entry,
        arguments: &CommonArguments,
        stop: &Stop,
    ) -> Result<TestResult, Error> {
        let mut result = TestResult {
            name: test.name.clone(),
            target: self.target.name.clone(),
            verdict: Verdict::Ignored,
            complete: false,
            paths: PathCounts::default(),
            errors: Vec::new(),
            notes: Vec::new(),
            shown: Vec::new(),
        };
        if let Some(needs) = &test.needs {
            let note = format!("it needs {needs}, which are not supported");
            result.notes.push(note);
        }
        let Some(entry) = test.function(&self.program) else {
            return Ok(result);
        };
        if test.is_ignored || test.needs.is_some() {
            return Ok(result);
        }
        let recipe = self.recipe_of(&test.symbol, test.argument.as_deref());
        let failed = |error| explained(error, Some(&self.program));
        let session = Session::new(recipe, options(self.built, arguments, stop));
        let prepared = session.prepare(&self.program, Start::Function(entry));
        let mut seen = Seen::of(&self.program, test);
        let report = prepared.map_err(failed)?.run(&mut seen).map_err(failed)?;
        result.complete = report.outcome == suite::Outcome::Complete;
        result.paths = report.paths;
        seen.conclude(test, &mut result);
        match (arguments.save, test.is_property) {
            (true, false) => seen.save(self.target, test)?,
            (true, true) => {
                let note = "its cases are not saved: the crate of the property does not read them";
                result.notes.push(note.to_owned());
            }
            (false, _) => {}
        }
        Ok(result)
    }
}

fn options(built: &Built, arguments: &CommonArguments, stop: &Stop) -> Options<'static> {
    let stop = stop.limited(Some(arguments.max_time), None);
    let config = Config {
        limits: solver::Limits {
            stop: stop.clone(),
            ..solver::Limits::default()
        },
        ..Config::default()
    };
    Options {
        libraries: built.libraries.clone(),
        unoptimised: built.unoptimised,
        machine: machine::Options {
            stop,
            ..machine::Options::default()
        },
        mixed: Mixed::from(Solver::new(config)),
        plan: Plan {
            limits: Limits {
                errors: arguments.max_errors,
                tests: arguments.max_paths,
                ..Limits::default()
            },
            ..Plan::default()
        },
        ..Options::default()
    }
}

/// What was seen of a test as its paths ended.
struct Seen<'p> {
    program: &'p Program,
    /// What the message of a panic has to have in it, where the test has to panic.
    should_panic: Option<&'p str>,
    has_panicked: bool,
    completed: Vec<TestCase>,
    failed: Vec<TestCase>,
    /// One for each place and kind.
    errors: Vec<Diagnosis>,
    notes: Vec<String>,
    /// What paths needed that the machine does not do.
    left_out: Vec<String>,
}

impl Observer for Seen<'_> {
    fn ended(&mut self, path: &mut PathEnd<'_, '_>, end: &End) {
        match end {
            End::Exit(_) => self.completed.push(path.case().clone()),
            // Nothing is known of such a path: it is no failure of the test.
            End::Error(ErrorKind::Unsupported | ErrorKind::Internal, what) => {
                if !self.left_out.contains(what) {
                    self.left_out.push(what.clone());
                }
            }
            End::Error(kind, message) => self.error(path, *kind, message),
            End::Ignored | End::Redundant | End::TooDeep | End::Unknown => {}
        }
    }

    fn note(&mut self, note: &str) {
        self.notes.push(note.to_owned());
    }
}

impl<'p> Seen<'p> {
    fn of(program: &'p Program, test: &'p Entry) -> Seen<'p> {
        Seen {
            program,
            should_panic: test.should_panic.as_deref(),
            has_panicked: false,
            completed: Vec::new(),
            failed: Vec::new(),
            errors: Vec::new(),
            notes: Vec::new(),
            left_out: Vec::new(),
        }
    }

    fn error(&mut self, path: &mut PathEnd<'_, '_>, kind: ErrorKind, message: &str) {
        self.failed.push(path.case().clone());
        let is_expected = self.should_panic.is_some_and(|text| message.contains(text));
        if kind == ErrorKind::Panic && is_expected {
            self.has_panicked = true;
            return;
        }
        let mut error = Diagnosis::at(self.program, path.state, kind, message);
        let identity = error.finding.identity();
        if self
            .errors
            .iter()
            .any(|it| it.finding.identity() == identity)
        {
            return;
        }
        error.finding.test = case_name(self.failed.len());
        let types = engine::report::input_types(path.machine);
        error.inputs = suite::render(path.case(), &types);
        self.errors.push(error);
    }

    fn conclude(&self, test: &Entry, result: &mut TestResult) {
        result.notes.extend(self.notes.iter().cloned());
        let left_out = self.left_out.iter();
        result
            .notes
            .extend(left_out.map(|it| format!("left out: {it}")));
        result.complete &= self.left_out.is_empty();
        if test.has_bound {
            let note = "the bound of loops is ignored: paths are followed to their end";
            result.notes.push(note.to_owned());
        }
        result.errors = self.errors.iter().map(|it| it.finding.clone()).collect();
        result.shown = self.errors.iter().map(Diagnosis::text).collect();
        let does_not_panic = test.should_panic.is_some() && !self.has_panicked;
        if does_not_panic && result.complete {
            let message = "it should panic for some input, and does for none";
            result.shown.push(message.to_owned());
            result.notes.push(message.to_owned());
        }
        if self.completed.is_empty() && self.failed.is_empty() && result.complete {
            let note = "no input fulfils what it assumes";
            result.notes.push(note.to_owned());
        }
        result.verdict = match (self.errors.is_empty(), result.complete) {
            (false, _) => Verdict::Failed,
            (true, true) if does_not_panic => Verdict::Failed,
            (true, true) => Verdict::Passed,
            // One input is enough.
            (true, false) if self.has_panicked => Verdict::Passed,
            (true, false) => Verdict::Unfinished,
        };
    }

    fn save(&self, target: &Target, test: &Entry) -> Result<(), Error> {
        let cases = match self.failed.is_empty() {
            true => &self.completed,
            false => &self.failed,
        };
        if target.is_fuzz {
            let kind = if self.failed.is_empty() {
                "corpus"
            } else {
                "artifacts"
            };
            let folder = target.directory.join(kind).join(&target.name);
            return each(&folder, cases, |file, case| {
                // The length comes first, and then as many bytes.
                let bytes = case.inputs.get(1).map_or(&[][..], |it| &it.bytes);
                std::fs::write(file, bytes).map_err(Error::writing(file))
            });
        }
        // Not every file system has a place for colons.
        let folder = test.path.replace("::", ".");
        let folder = target.directory.join("tests/everypath").join(folder);
        remove_cases(&folder)?;
        each(&folder, cases, |file, case| {
            Ok(ktest::write(&file.with_extension("ktest"), case)?)
        })
    }
}

/// Removes the cases that an earlier run saved: those of another version of a test would fail.
fn remove_cases(folder: &Path) -> Result<(), Error> {
    for file in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = file.path();
        let is_case = file.file_name().to_string_lossy().starts_with(CASE);
        if is_case && path.extension().is_some_and(|it| it == "ktest") {
            std::fs::remove_file(&path).map_err(Error::writing(&path))?;
        }
    }
    Ok(())
}

/// Writes a file for each case into a folder.
fn each(
    folder: &Path,
    cases: &[TestCase],
    write: impl Fn(&Path, &TestCase) -> Result<(), Error>,
) -> Result<(), Error> {
    std::fs::create_dir_all(folder).map_err(Error::writing(folder))?;
    for (number, case) in cases.iter().enumerate() {
        write(&folder.join(case_name(number + 1)), case)?;
    }
    Ok(())
}

/// What the names of cases begin with.
const CASE: &str = "case";

fn case_name(number: usize) -> String {
    format!("{CASE}{number:06}")
}
