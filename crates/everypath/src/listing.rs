//! `everypath tests`: the tests of a run, a line each.

use crate::Outcome;
use crate::error::Error;
use crate::output::{say, say_json};
use base::OneLine;
use serde::Serialize;
use std::fmt::Write;
use std::path::PathBuf;
use suite::{End, Finding, RunDirectory, StoredTest};

/// Lists the tests of a run: how each ends, and its inputs.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  everypath tests
  everypath tests everypath-out-3 --errors
  everypath tests --json | jq '.tests[] | select(.end == \"exit 1\")'

Exit status: 0 the tests were listed; 2 there is no such run.")]
pub struct Arguments {
    /// A directory that everypath run has written.
    #[arg(value_name = "DIR", default_value = "everypath-last")]
    directory: PathBuf,
    /// Lists only tests that end in an error.
    #[arg(long)]
    errors: bool,
    /// Prints one JSON object.
    #[arg(long)]
    json: bool,
}

/// Lists the tests; an error is one message for the user.
pub fn run(arguments: &Arguments) -> Result<Outcome, Error> {
    let directory = RunDirectory::open(&arguments.directory)?;
    for torn in &directory.torn {
        eprintln!("note: left out: {}", torn.reason);
    }
    let types = directory.types();
    let listed = directory.tests.iter().map(|test| Listed {
        test: &test.name,
        end: test.end,
        error: error_of(&directory, test),
        inputs: suite::brief(&test.case, &types),
    });
    let wanted = |it: &Listed<'_>| !arguments.errors || matches!(it.end, Some(End::Error(_)));
    let tests: Vec<Listed<'_>> = listed.filter(wanted).collect();
    match arguments.json {
        true => say_json(&Listing {
            schema: suite::SCHEMA,
            tests,
        })?,
        false if tests.is_empty() => say(&nothing(&directory))?,
        false => say(table(&tests).trim_end())?,
    }
    Ok(Outcome::Clean)
}

/// What `tests --json` prints.
#[derive(Serialize)]
struct Listing<'a> {
    schema: u64,
    tests: Vec<Listed<'a>>,
}

#[derive(Serialize)]
struct Listed<'a> {
    test: &'a str,
    /// How it ends; none where a limit stopped the path.
    end: Option<End>,
    /// The error that it ends in.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a Finding>,
    /// The inputs on one line.
    inputs: String,
}

impl Listed<'_> {
    fn end(&self) -> String {
        match (self.end, self.error) {
            (Some(end), Some(error)) if error.line > 0 => {
                format!("{end} at {}:{}", error.file.one_line(), error.line)
            }
            (Some(end), _) => end.to_string(),
            (None, _) => "unfinished".to_owned(),
        }
    }
}

fn error_of<'a>(directory: &'a RunDirectory, test: &StoredTest) -> Option<&'a Finding> {
    let errors = &directory.report.as_ref()?.errors;
    errors.iter().find(|error| error.test == test.name)
}

/// Why nothing is listed.
fn nothing(directory: &RunDirectory) -> String {
    let is_fuzzed = directory
        .report
        .as_ref()
        .is_some_and(|it| it.fuzz.is_some());
    match is_fuzzed {
        true => format!(
            "no tests: fuzzing keeps inputs, in inputs, crashes and hangs of {}",
            directory.path.one_line()
        ),
        false => "no tests".to_owned(),
    }
}

/// Columns as wide as what is in them.
fn table(tests: &[Listed<'_>]) -> String {
    let ends: Vec<String> = tests.iter().map(Listed::end).collect();
    let width = |texts: &mut dyn Iterator<Item = usize>| texts.max().unwrap_or(0);
    let names = width(&mut tests.iter().map(|it| it.test.chars().count()));
    let wide = width(&mut ends.iter().map(|end| end.chars().count()));
    let mut text = String::new();
    for (test, end) in tests.iter().zip(&ends) {
        let line = format!("{:names$}  {end:wide$}  {}", test.test, test.inputs);
        let _ = writeln!(text, "{}", base::escape::visible(line.trim_end()));
    }
    text
}
