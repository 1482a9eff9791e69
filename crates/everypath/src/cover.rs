//! `everypath cover`: what a set of tests covers.
//!
//! Each test is followed in the machine, without a query. The tests may be a run's own, or
//! others for the same program, such as a fuzzer's corpus.

use crate::Outcome;
use crate::error::Error;
use crate::output::{say, say_json};
use crate::retrace::Origin;
use crate::seeds::{self, Seed};
use base::files::write_whole;
use base::{OneLine, Stop};
use machine::{Coverage, End, ErrorKind};
use serde::Serialize;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use suite::lcov::FileCoverage;
use suite::{CoverageSummary, RunDirectory, Share};

/// Measures what tests cover: those of a run, or others for its program.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  everypath cover
  everypath cover everypath-out-3 --lcov coverage.info
  everypath cover corpus/ --of everypath-last

Files that are not .ktest are taken as standard input.

Exit status: 0 the coverage was measured; 2 it could not be.")]
pub struct Arguments {
    /// Tests: a run, a directory of .ktest or raw files, or one such file.
    #[arg(value_name = "DIR", default_value = "everypath-last")]
    tests: PathBuf,
    /// The run whose program the tests are for [default: the tests' own, or everypath-last].
    #[arg(long, value_name = "DIR")]
    of: Option<PathBuf>,
    /// Writes the coverage to this file, as lcov does.
    #[arg(long, value_name = "FILE")]
    lcov: Option<PathBuf>,
    /// Prints one JSON object.
    #[arg(long)]
    json: bool,
}

/// Measures the coverage; an error is one message for the user.
pub fn run(arguments: &Arguments, stop: &Stop) -> Result<Outcome, Error> {
    let tests = seeds::read(std::slice::from_ref(&arguments.tests))?;
    let directory = RunDirectory::open(&arguments.program())?;
    let origin = Origin::of(&directory, stop)?;
    let mut retrace = origin.retrace(stop)?;
    let mut all = Coverage::new(&origin.program);
    let mut misfits = Vec::new();
    for Seed { path, case } in &tests {
        let replayed = retrace.follow(case);
        if stop.is_set() {
            return Err(Error::Stopped {
                why: crate::interrupt::because(stop),
                what: "all tests were followed".to_owned(),
            });
        }
        match replayed.end {
            Some(End::Error(ErrorKind::OtherInputs, message)) => {
                misfits.push((path.as_path(), message));
            }
            _ => {
                all.absorb(&replayed.coverage.to_bits());
            }
        }
    }
    let (info, summary) = engine::report::coverage(&origin.program, &all);
    if let Some(file) = &arguments.lcov {
        write_whole(file, info.to_info("everypath").as_bytes()).map_err(Error::writing(file))?;
    }
    let covered = Covered {
        schema: suite::SCHEMA,
        tests: tests.len() - misfits.len(),
        other_inputs: misfits
            .iter()
            .map(|(path, _)| path.to_string_lossy().into_owned())
            .collect(),
        coverage: summary,
        files: info
            .files
            .iter()
            .map(|(name, file)| (name.as_str(), OfFile::of(file)))
            .collect(),
    };
    for (path, message) in &misfits {
        eprintln!("note: left out {}: {message}", path.one_line());
    }
    match arguments.json {
        true => say_json(&covered)?,
        false => say(covered.text().trim_end())?,
    }
    Ok(Outcome::Clean)
}

impl Arguments {
    /// The run whose program it is.
    fn program(&self) -> PathBuf {
        let own = || {
            self.tests
                .join("run.json")
                .is_file()
                .then(|| self.tests.clone())
        };
        let last = || Path::new("everypath-last").to_owned();
        self.of.clone().or_else(own).unwrap_or_else(last)
    }
}

/// What `cover --json` prints.
#[derive(Serialize)]
struct Covered<'a> {
    schema: u64,
    /// Tests that were followed.
    tests: usize,
    /// Tests whose inputs are not those that the program asks for.
    other_inputs: Vec<String>,
    coverage: CoverageSummary,
    files: BTreeMap<&'a str, OfFile>,
}

/// What of one file is covered.
#[derive(Serialize)]
struct OfFile {
    lines: Share,
    branches: Share,
    functions: Share,
}

impl OfFile {
    fn of(file: &FileCoverage) -> OfFile {
        OfFile {
            lines: share(file.lines.values().map(|&hits| hits > 0)),
            branches: share(file.branches.iter().map(|branch| branch.taken > Some(0))),
            functions: share(file.functions.iter().map(|function| function.hits > 0)),
        }
    }
}

fn share(covered: impl Iterator<Item = bool>) -> Share {
    let mut share = Share::default();
    for covered in covered {
        share.total += 1;
        share.covered += u64::from(covered);
    }
    share
}

impl Covered<'_> {
    fn text(&self) -> String {
        let mut text = String::new();
        let files = self
            .files
            .iter()
            .map(|(name, file)| (name.one_line(), file));
        let files: Vec<(Cow<'_, str>, &OfFile)> = files.collect();
        let width = files.iter().map(|(name, _)| name.chars().count()).max();
        let width = width.unwrap_or(0);
        for (name, file) in files {
            let of = |share: Share| format!("{}/{}", share.covered, share.total);
            let _ = writeln!(
                text,
                "{name:width$}  lines {:>9} {:>4.0} %  branches {:>9} {:>4.0} %  functions {}",
                of(file.lines),
                file.lines.percent(),
                of(file.branches),
                file.branches.percent(),
                of(file.functions),
            );
        }
        let plural = if self.tests == 1 { "" } else { "s" };
        let _ = write!(
            text,
            "{} test{plural}: {}",
            self.tests,
            crate::coverage::summary(&self.coverage)
        );
        text
    }
}
