//! `everypath minimize`: few tests that together do what all tests do.
//!
//! Each test is followed in the machine again to see which branches it takes. Then the
//! greedy algorithm for set cover picks tests (Johnson 1974: at most ln(n) times as many
//! as a smallest set), and those that later picks made redundant are dropped. Each error
//! keeps a test, whatever it covers.

use crate::Outcome;
use crate::error::Error;
use crate::output::{say, say_json};
use crate::retrace::{Origin, report_of};
use base::{OneLine, Stop};
use machine::runtime::is_library;
use program::{EdgeId, FunctionId, Program};
use serde::Serialize;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use suite::{RunDirectory, RunReport, StoredTest};

/// Keeps a small set of tests with the same coverage and the same errors.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  everypath minimize
  everypath minimize everypath-out-3 --output regression

Nothing is removed: without --output the tests to keep are listed, with it they are
copied to a new directory, which show, replay, export and report read like any other.

Exit status: 0 the tests were chosen; 2 they could not be.")]
pub struct Arguments {
    /// A directory that everypath run has written.
    #[arg(value_name = "DIR", default_value = "everypath-last")]
    directory: PathBuf,
    /// Copies the tests that are kept to this directory.
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Prints one JSON object.
    #[arg(long)]
    json: bool,
}

/// Chooses the tests; an error is one message for the user.
pub fn run(arguments: &Arguments, stop: &Stop) -> Result<Outcome, Error> {
    let directory = RunDirectory::open(&arguments.directory)?;
    for torn in &directory.torn {
        eprintln!("note: left out: {}", torn.reason);
    }
    let report = report_of(&directory)?;
    let origin = Origin::of(&directory, stop)?;
    let elements = elements(&origin.program);
    let mut retrace = origin.retrace(stop)?;
    let mut reached = Vec::new();
    for test in &directory.tests {
        let coverage = retrace.follow(&test.case).coverage;
        if stop.is_set() {
            return Err(Error::Stopped {
                why: crate::interrupt::because(stop),
                what: "all tests were followed".to_owned(),
            });
        }
        reached.push(Bits::of(
            elements
                .iter()
                .map(|&(function, element)| element.is_in(&coverage, function)),
        ));
    }
    let kept = choose(&reached, &first_of_each_error(report, &directory.tests));
    let kept: Vec<&StoredTest> = kept.iter().map(|&at| &directory.tests[at]).collect();
    if let Some(output) = &arguments.output {
        copy(&directory, report, &kept, output)?;
    }
    let result = Minimized {
        schema: suite::SCHEMA,
        tests: directory.tests.len(),
        kept: kept.iter().map(|test| test.name.as_str()).collect(),
    };
    match arguments.json {
        true => say_json(&result)?,
        false => say(&result.text(arguments.output.as_deref()))?,
    }
    Ok(Outcome::Clean)
}

/// What `minimize --json` prints.
#[derive(Serialize)]
struct Minimized<'a> {
    schema: u64,
    tests: usize,
    kept: Vec<&'a str>,
}

impl Minimized<'_> {
    fn text(&self, output: Option<&Path>) -> String {
        let (kept, all) = (self.kept.len(), self.tests);
        match output {
            Some(output) => format!("{kept} of {all} tests kept, in {}", output.one_line()),
            None => {
                let names = self.kept.join("\n");
                let tail = format!("{kept} of {all} tests cover what all of them do");
                format!("{names}\n{tail}").trim_start().to_owned()
            }
        }
    }
}

/// Something of the program's own code that a test reaches or not.
#[derive(Clone, Copy)]
enum Element {
    Entry,
    Edge(EdgeId),
}

impl Element {
    fn is_in(self, coverage: &machine::Coverage, function: FunctionId) -> bool {
        match self {
            Element::Entry => coverage.entered(function),
            Element::Edge(edge) => coverage.followed(function, edge),
        }
    }
}

/// Calls of the program's functions and all edges in them.
fn elements(program: &Program) -> Vec<(FunctionId, Element)> {
    let mut elements = Vec::new();
    for (number, function) in program.functions.iter().enumerate() {
        let source = function.source.map(|id| program.source.function(id));
        let file = source.and_then(|source| source.file);
        let is_own = file.is_none_or(|id| !is_library(&program.source.file(id).path));
        if let Some(body) = function.body.as_ref().filter(|_| is_own) {
            let id = FunctionId::from_index(number);
            elements.push((id, Element::Entry));
            let edges = (0..body.edges.len()).map(EdgeId::from_index);
            elements.extend(edges.map(|edge| (id, Element::Edge(edge))));
        }
    }
    elements
}

/// The positions of the first test of each error.
fn first_of_each_error(report: &RunReport, tests: &[StoredTest]) -> Vec<usize> {
    let mut seen = BTreeSet::new();
    let errors = report.errors.iter();
    let errors = errors.filter(|error| seen.insert(error.identity()));
    let position = |name: &str| tests.iter().position(|test| test.name == name);
    errors.filter_map(|error| position(&error.test)).collect()
}

/// The tests to keep, in order: these, and few others.
fn choose(reached: &[Bits], required: &[usize]) -> Vec<usize> {
    let mut all = Bits::default();
    reached.iter().for_each(|bits| all.add(bits));
    let mut covered = Bits::default();
    let mut kept: Vec<usize> = required.to_vec();
    required.iter().for_each(|&at| covered.add(&reached[at]));
    while covered != all {
        // Among equals the first, so that the choice does not depend on anything else.
        let best = (0..reached.len())
            .rev()
            .max_by_key(|&at| reached[at].new_beside(&covered));
        let best = best.expect("something is not covered, so there are tests");
        covered.add(&reached[best]);
        kept.push(best);
    }
    // A test whose every element another kept one has too is not needed any more.
    let mut at = required.len();
    while at < kept.len() {
        let mut others = Bits::default();
        let rest = kept.iter().enumerate().filter(|&(other, _)| other != at);
        rest.for_each(|(_, &test)| others.add(&reached[test]));
        match others == all {
            true => {
                kept.remove(at);
            }
            false => at += 1,
        }
    }
    kept.sort_unstable();
    kept.dedup();
    kept
}

/// A set of elements.
#[derive(Clone, Default)]
struct Bits(Vec<u64>);

impl Bits {
    fn of(bits: impl Iterator<Item = bool>) -> Bits {
        let mut words = Vec::new();
        for (at, bit) in bits.enumerate() {
            if at % 64 == 0 {
                words.push(0);
            }
            words[at / 64] |= u64::from(bit) << (at % 64);
        }
        Bits(words)
    }

    fn add(&mut self, other: &Bits) {
        self.0.resize(self.0.len().max(other.0.len()), 0);
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a |= b);
    }

    /// How many elements it has that the other lacks.
    fn new_beside(&self, other: &Bits) -> u32 {
        let others = other.0.iter().copied().chain(std::iter::repeat(0));
        let words = self.0.iter().zip(others);
        words.map(|(a, b)| (a & !b).count_ones()).sum()
    }
}

impl PartialEq for Bits {
    /// Words that are not there hold nothing.
    fn eq(&self, other: &Bits) -> bool {
        self.new_beside(other) == 0 && other.new_beside(self) == 0
    }
}

/// Copies tests, with the texts of their errors and what the run knew of them.
fn copy(
    directory: &RunDirectory,
    report: &RunReport,
    kept: &[&StoredTest],
    output: &Path,
) -> Result<(), Error> {
    let mut target = suite::OutputDirectory::create_at(output)?;
    for test in kept {
        let name = format!("{}.ktest", test.name);
        target.write_file(&name, suite::ktest::encode(&test.case))?;
        if let Some(error) = &test.error {
            let name = error.file_name().unwrap_or_default().to_string_lossy();
            let text = std::fs::read(error).map_err(Error::reading(error))?;
            target.write_file(&name, text)?;
        }
    }
    let info = directory.path.join("coverage.info");
    if let Ok(info) = std::fs::read_to_string(info) {
        target.write_coverage(&info)?;
    }
    let names: BTreeSet<&str> = kept.iter().map(|test| test.name.as_str()).collect();
    let is_kept = |name: &str| names.contains(name);
    let number = |number: u64| is_kept(suite::TestName::new(number).as_str());
    let mut errors = report.errors.clone();
    errors.retain(|error| is_kept(&error.test));
    target.write_run(&RunReport {
        tests: kept.len() as u64,
        ends: report.ends.only(number),
        errors,
        ..report.clone()
    })?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bits(elements: &[usize]) -> Bits {
        Bits::of((0..70).map(|at| elements.contains(&at)))
    }

    #[test]
    fn few_tests_cover_what_all_do() {
        let reached = [
            bits(&[0, 1]),
            bits(&[1, 2, 69]),
            bits(&[0]),
            bits(&[2]),
            bits(&[0, 1]),
        ];
        assert_eq!(choose(&reached, &[]), [0, 1]);
        // A test that is required stays, and nothing is chosen for what it covers.
        assert_eq!(choose(&reached, &[4]), [1, 4]);
        assert_eq!(choose(&reached, &[2]), [1, 2]);
    }

    #[test]
    fn what_later_choices_cover_is_dropped() {
        // The greedy choice takes the first, and then needs both others all the same.
        let reached = [bits(&[1, 2, 3, 4]), bits(&[0, 1, 2]), bits(&[3, 4, 5])];
        assert_eq!(choose(&reached, &[]), [1, 2]);
    }

    #[test]
    fn nothing_to_cover_needs_no_test() {
        assert_eq!(choose(&[], &[]), [0usize; 0]);
        assert_eq!(choose(&[bits(&[])], &[]), [0usize; 0]);
    }
}
