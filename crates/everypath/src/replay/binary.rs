//! `everypath replay --binary`: tests in an executable that somebody else has built.
//!
//! The test's arguments, files and standard input are set up around it as they were
//! around the program in the machine; inputs that the program marks itself are fed if it
//! was linked with the replay runtime. What it writes is shown.

use super::claims::{Agreement, agrees};
use super::native::{Ran, Room, wait};
use crate::Outcome;
use crate::error::Error;
use crate::output::say;
use crate::scratch::Scratch;
use base::{OneLine, Stop};
use std::fmt::Write;
use std::io;
use std::path::{Path, PathBuf};
use suite::{End, RunDirectory, Setting, TestCase};

/// Runs one test, or all of a directory.
pub fn run(binary: &Path, tests: &Path, stop: &Stop) -> Result<Outcome, Error> {
    let program = std::fs::canonicalize(binary).map_err(|error| cannot_run(binary, &error))?;
    let tests = find(tests)?;
    let scratch = Scratch::new()?;
    let mut text = String::new();
    let mut diverged = 0;
    for test in &tests {
        let ran = run_one(&program, test, &scratch, stop);
        let Some(ran) = ran.map_err(|error| cannot_run(binary, &error))? else {
            break;
        };
        let agrees = agrees(test.predicted, &ran, false);
        let is_known = test.predicted.is_some();
        let _ = write!(text, "{}  {}", test.name, ran.ended);
        if is_known && agrees == Agreement::Diverges {
            diverged += 1;
            let predicted = test
                .predicted
                .map(|end| end.to_string())
                .unwrap_or_default();
            let _ = write!(text, ", predicted {predicted}");
        }
        text.push('\n');
    }
    let count = super::count(tests.len(), "test");
    say(&format!("{text}{count} run; {diverged} not as predicted"))?;
    Ok(match diverged {
        0 => Outcome::Clean,
        _ => Outcome::Found,
    })
}

fn cannot_run(binary: &Path, error: &io::Error) -> Error {
    Error::Tool(format!("cannot run {}: {error}", binary.one_line()))
}

/// A test, and how the run that made it says that it ends, if there is one.
struct Test {
    name: String,
    path: PathBuf,
    case: TestCase,
    setting: Setting,
    predicted: Option<End>,
}

/// The tests at a path: a directory of a run, or one file, of ours or of KLEE.
fn find(path: &Path) -> Result<Vec<Test>, Error> {
    let (directory, only) = match path.is_dir() {
        true => (path.to_owned(), None),
        false => {
            let file = crate::show::find(path)?;
            let parent = file
                .parent()
                .filter(|parent| !parent.as_os_str().is_empty());
            let parent = parent.unwrap_or(Path::new(".")).to_owned();
            let name = file.file_stem().unwrap_or_default().to_string_lossy();
            (parent, Some((name.into_owned(), file)))
        }
    };
    if let Some((name, file)) = only {
        let case = suite::read_test(&file)?;
        let run = RunDirectory::open(&directory).ok();
        return Ok(vec![test(run.as_ref(), name, file, case)]);
    }
    let run = RunDirectory::open(&directory)?;
    let tests = run.tests.iter();
    let tests = tests.map(|it| {
        test(
            Some(&run),
            it.name.clone(),
            it.path.clone(),
            it.case.clone(),
        )
    });
    Ok(tests.collect())
}

fn test(run: Option<&RunDirectory>, name: String, path: PathBuf, case: TestCase) -> Test {
    let report = run.and_then(|run| run.report.as_ref());
    let recipe = report.and_then(|report| report.program.as_ref());
    let setting = match recipe {
        Some(recipe) => Setting::of(recipe, &case),
        None => Setting::by_names(&case),
    };
    Test {
        predicted: report.and_then(|report| report.ends.of(&name)),
        name,
        path,
        case,
        setting,
    }
}

/// Runs a test; nothing if it was stopped.
fn run_one(program: &Path, test: &Test, scratch: &Scratch, stop: &Stop) -> io::Result<Option<Ran>> {
    let room = Room::furnish(&scratch.path().join("test"), &test.setting)?;
    let mut command = room.command(program, &test.setting);
    if !test.case.inputs.is_empty() {
        command.env("EVERYPATH_KTEST", room.ktest(&test.path, &test.case)?);
    }
    let status = wait(command.spawn()?, stop)?;
    // What it says goes to the terminal, so that a status is only a status.
    Ok(status.ok().map(|status| Ran::new(status, "")))
}
