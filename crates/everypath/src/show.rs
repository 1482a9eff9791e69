//! `everypath show`: a test in words.

use crate::Outcome;
use crate::error::Error;
use crate::output::{say, say_json};
use base::OneLine;
use serde::Serialize;
use std::path::{Path, PathBuf};
use suite::{End, Ends, InputTypes, RunReport, TestDescription};

/// Shows the inputs of a test with their names and types.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  everypath show test000001
  everypath show everypath-out-3/test000001
  everypath show --json klee-last/test000001.ktest

Exit status: 0 the test was shown; 2 there is no such test, or it is not whole.")]
pub struct Arguments {
    /// A .ktest file, or the name of a test: of the last run (everypath-last),
    /// or of another, as DIR/test000001.
    #[arg(value_name = "TEST")]
    test: PathBuf,
    /// Prints one JSON object.
    #[arg(long)]
    json: bool,
}

/// Shows the test; an error is one message for the user.
pub fn run(arguments: &Arguments) -> Result<Outcome, Error> {
    let file = find(&arguments.test)?;
    let case = suite::read_test(&file)?;
    let run = run_of(&file)?;
    let name = file.file_stem().unwrap_or_default().to_string_lossy();
    let end = run.ends.of(&name);
    if arguments.json {
        say_json(&Shown {
            case: suite::describe(&case, &run.types),
            test: &name,
            file: file.to_string_lossy().into_owned(),
            end,
        })?;
    } else {
        let mut text = suite::render(&case, &run.types);
        if let Some(end) = end {
            text += &format!("ends in {end}\n");
        }
        say(text.trim_end())?;
    }
    Ok(Outcome::Clean)
}

/// A test, for other programs.
#[derive(Serialize)]
struct Shown<'a> {
    #[serde(flatten)]
    case: TestDescription,
    test: &'a str,
    file: String,
    /// How the run says that the test ends, if it says so.
    end: Option<End>,
}

/// The file of a test that is named by a path or as one of the last run.
pub fn find(test: &Path) -> Result<PathBuf, Error> {
    let mut with_extension = test.as_os_str().to_owned();
    with_extension.push(".ktest");
    let in_last_run = Path::new("everypath-last").join(&with_extension);
    let places = [test.to_owned(), with_extension.into(), in_last_run];
    let tried: Vec<String> = places.iter().map(|p| p.one_line().into_owned()).collect();
    places
        .into_iter()
        .find(|place| suite::is_test(place))
        .ok_or_else(|| {
            Error::Usage(format!(
                "there is no test {} (tried {}); everypath run writes tests",
                test.one_line(),
                tried.join(", ")
            ))
        })
}

/// What the run that wrote a test knew beside it.
#[derive(Default)]
struct Run {
    types: InputTypes,
    ends: Ends,
}

/// The run whose directory the file is in; KLEE's directories tell nothing.
fn run_of(file: &Path) -> Result<Run, Error> {
    let directory = match file.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let run_json = directory.join("run.json");
    if !run_json.is_file() {
        return Ok(Run::default());
    }
    let report = RunReport::read(&run_json)?;
    Ok(Run {
        types: report.inputs,
        ends: report.ends,
    })
}
