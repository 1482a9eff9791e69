//! `everypath replay`: generated tests in the real program.
//!
//! A test is a claim: on these inputs the program takes these branches and ends
//! like this. The claim is checked by compiling the same files natively with a
//! runtime that feeds the inputs. What differs is shown, never hidden.

mod binary;
mod branches;
mod claims;
pub mod driver;
mod native;
mod output;
mod recipe;
mod stubs;

pub use recipe::{compilable, files_changed_since, replayable};

use crate::Outcome;
use crate::error::Error;
use crate::interrupt::because;
use crate::output::{say, say_json};
use crate::ui::progress::Progress;
use base::{OneLine, Stop};
use branches::{Branches, Compared};
use claims::{Agreement, Claims, agrees};
use native::{Binary, Ended, Ran};
use serde::Serialize;
use std::fmt::Write;
use std::path::PathBuf;
use std::time::Instant;
use suite::{End, Environment, Language, Recipe, StoredTest};

/// Runs generated tests in the real program.
///
/// Compiles the files that were run with clang and a runtime that feeds the
/// recorded inputs, runs each test, and compares how it ends and which branches
/// it takes with what the run predicted.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  everypath replay                                     # what there is to replay
  everypath replay everypath-last --native             # all tests of the last run
  everypath replay everypath-out-3/test000007 --native # one test
  everypath replay everypath-last --native --sanitize  # with ASan and UBSan
  everypath replay --binary ./wc everypath-last        # in an executable of your own
  everypath replay --binary ./wc klee-last/test000001.ktest

Without --native nothing is compiled: the tests and their predicted ends are
listed. A test that is predicted to use memory wrongly may end in any way in
the real program; with --sanitize it has to fail. Sanitizers have branches of
their own, so that with them only ends are compared.

Ctrl-C ends the replay; what it says then is about the tests that were run.

Exit status: 0 every test that was run went as predicted; 1 a test did not; 2
the tests could not be replayed.")]
pub struct Arguments {
    /// A directory that everypath run has written, or one test in it.
    #[arg(value_name = "DIR", default_value = "everypath-last")]
    tests: PathBuf,
    /// Compiles the program natively and runs the tests in it.
    #[arg(long)]
    native: bool,
    /// Compiles with the address and undefined-behaviour sanitizers.
    #[arg(long, requires = "native")]
    sanitize: bool,
    /// Runs the tests in this executable, which was built with flags of your own.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["native", "json"])]
    binary: Option<PathBuf>,
    /// Prints one JSON object.
    #[arg(long)]
    json: bool,
}

/// Replays the tests; an error is one message for the user.
pub fn run(arguments: &Arguments, stop: &Stop) -> Result<Outcome, Error> {
    let started = Instant::now();
    if let Some(binary) = &arguments.binary {
        return binary::run(binary, &arguments.tests, stop);
    }
    let claims = Claims::read(&arguments.tests)?;
    for torn in &claims.directory.torn {
        eprintln!("note: left out: {}", torn.reason);
    }
    if !arguments.native {
        match arguments.json {
            true => say_json(&claims.report())?,
            false => say(&claims.listing())?,
        }
        return Ok(Outcome::Clean);
    }
    let recipe = replayable(&claims.report)
        .map_err(|reason| Error::content(claims.run_json().one_line(), reason))?;
    for file in files_changed_since(recipe, &claims.run_json()) {
        eprintln!("note: {} has changed since the run", file.one_line());
    }
    let verdicts = match arguments.sanitize {
        true => judge_ends(&claims, recipe, stop)?,
        false => judge(&claims, recipe, stop)?,
    };
    let not_run = claims.tests().len() - verdicts.len();
    if not_run > 0 {
        let left = count(not_run, "test");
        let were = if not_run == 1 { "was" } else { "were" };
        eprintln!("{}: {left} {were} not replayed", because(stop));
    }
    let result = Replayed {
        not_run,
        verdicts,
        seconds: started.elapsed().as_secs_f64(),
    };
    match arguments.json {
        true => say_json(&result.report())?,
        false => say(&result.summary())?,
    }
    Ok(match result.divergences().next() {
        Some(_) => Outcome::Found,
        None => Outcome::Clean,
    })
}

/// Tests that are run before the first of them is judged: enough for all processors, and
/// few enough that a stop loses next to nothing.
const PORTION: usize = 64;

/// Runs the tests and compares ends and branches.
fn judge(claims: &Claims, recipe: &Recipe, stop: &Stop) -> Result<Vec<Verdict>, Error> {
    let (binary, instrumented) = Binary::instrumented(recipe, stop)?;
    let mut branches = Branches::new(&instrumented, recipe, stop)?;
    judge_each(claims, recipe, &binary, stop, |test, ran| {
        let predicted = claims.predicted(test);
        let compared = branches.compare(test, predicted, &ran);
        Verdict::new(test, predicted, ran, compared, false)
    })
}

/// Runs the tests with sanitizers and compares ends.
fn judge_ends(claims: &Claims, recipe: &Recipe, stop: &Stop) -> Result<Vec<Verdict>, Error> {
    let binary = Binary::sanitized(recipe, stop)?;
    // Sanitizers are put in where C is compiled, and LLVM files have that behind them.
    let checked = !recipe.has(Language::Llvm);
    judge_each(claims, recipe, &binary, stop, |test, ran| {
        let predicted = claims.predicted(test);
        Verdict::new(test, predicted, ran, Compared::default(), checked)
    })
}

/// Runs the tests, and judges those that can run as they did in the machine.
fn judge_each(
    claims: &Claims,
    recipe: &Recipe,
    binary: &Binary,
    stop: &Stop,
    mut judge: impl FnMut(&StoredTest, Ran) -> Verdict,
) -> Result<Vec<Verdict>, Error> {
    let tests = claims.tests();
    let mut progress = Progress::new(Instant::now(), None);
    let mut verdicts = Vec::new();
    for portion in tests.chunks(PORTION) {
        for (test, ran) in portion.iter().zip(binary.run(portion)?) {
            let Some(ran) = ran else {
                continue;
            };
            let verdict = match recipe.environment.is_only_modelled(&test.case) {
                true => Verdict::untried(test, claims.predicted(test), ran),
                false => judge(test, ran).excusing_what_differs(test, binary),
            };
            // Branches that a stop left half compared say nothing.
            if stop.is_set() {
                break;
            }
            verdicts.push(verdict);
        }
        if stop.is_set() {
            break;
        }
        let (done, all) = (verdicts.len(), tests.len());
        progress.show(|_| format!("{done} of {all} tests replayed"));
    }
    progress.clear();
    Ok(verdicts)
}

/// One test, judged.
struct Verdict {
    test: String,
    predicted: Option<End>,
    ended: Ended,
    /// What the runtime or a sanitizer said, if anything.
    said: String,
    branches: Compared,
    agrees: Agreement,
}

impl Verdict {
    fn new(
        test: &StoredTest,
        predicted: Option<End>,
        ran: Ran,
        branches: Compared,
        checked: bool,
    ) -> Verdict {
        let differs = branches.difference.is_some()
            || branches.other_end.is_some()
            || branches.other_output.is_some();
        let agrees = match differs {
            true => Agreement::Diverges,
            false => agrees(predicted, &ran, checked),
        };
        Verdict {
            test: test.name.clone(),
            predicted,
            ended: ran.ended,
            said: ran.said,
            branches,
            agrees,
        }
    }

    /// Threads that cannot be made to take turns may take others than in the test, and random
    /// bytes may be others.
    fn excusing_what_differs(mut self, test: &StoredTest, binary: &Binary) -> Verdict {
        let has_turns = !test.case.schedule.is_empty() && !binary.takes_turns;
        let may_differ = has_turns || Environment::has_random_device(&test.case);
        if may_differ && self.agrees == Agreement::Diverges {
            self.agrees = Agreement::Allowed;
        }
        self
    }

    /// A test of what the real system cannot be made to do.
    fn untried(test: &StoredTest, predicted: Option<End>, ran: Ran) -> Verdict {
        Verdict {
            agrees: Agreement::Allowed,
            ..Verdict::new(test, predicted, ran, Compared::default(), false)
        }
    }

    fn write(&self, text: &mut String) {
        let predicted = self.predicted.map(|end| end.to_string());
        let predicted = predicted.unwrap_or("nothing".to_owned());
        let _ = writeln!(
            text,
            "divergence: {}: predicted {predicted}, happened {}",
            self.test, self.ended
        );
        for line in self.said.lines() {
            let _ = writeln!(text, "  {line}");
        }
        if let Some(end) = &self.branches.other_end {
            let _ = writeln!(text, "  the machine, given the same inputs: {end}");
        }
        let differences = [&self.branches.difference, &self.branches.other_output];
        for difference in differences.into_iter().flatten() {
            let _ = writeln!(text, "  {difference}");
        }
    }

    fn report(&self) -> Divergence<'_> {
        Divergence {
            test: &self.test,
            predicted: self.predicted,
            happened: self.ended.to_string(),
            said: &self.said,
            machine: self.branches.other_end.as_ref().map(ToString::to_string),
            branches: self.branches.difference.as_deref(),
            output: self.branches.other_output.as_deref(),
        }
    }
}

/// What `replay --native --json` prints.
#[derive(Serialize)]
struct ReplayReport<'a> {
    schema: u64,
    native: bool,
    tests: usize,
    /// Tests that were not run because of a stop.
    not_run: usize,
    agreed: usize,
    not_contradicted: usize,
    branches: ComparedBranches,
    divergences: Vec<Divergence<'a>>,
    seconds: f64,
}

/// Tests whose branches were compared.
#[derive(Serialize)]
struct ComparedBranches {
    compared: usize,
    differing: usize,
}

/// A test that did not go as predicted.
#[derive(Serialize)]
struct Divergence<'a> {
    test: &'a str,
    predicted: Option<End>,
    happened: String,
    said: &'a str,
    machine: Option<String>,
    branches: Option<&'a str>,
    output: Option<&'a str>,
}

/// A whole replay, judged.
struct Replayed {
    not_run: usize,
    verdicts: Vec<Verdict>,
    seconds: f64,
}

impl Replayed {
    fn divergences(&self) -> impl Iterator<Item = &Verdict> {
        let diverges = |verdict: &&Verdict| verdict.agrees == Agreement::Diverges;
        self.verdicts.iter().filter(diverges)
    }

    fn number(&self, is: impl Fn(&Verdict) -> bool) -> usize {
        self.verdicts.iter().filter(|verdict| is(verdict)).count()
    }

    fn with(&self, agreement: Agreement) -> usize {
        self.number(|verdict| verdict.agrees == agreement)
    }

    fn summary(&self) -> String {
        let mut text = String::new();
        for verdict in self.divergences() {
            verdict.write(&mut text);
        }
        let _ = write!(
            text,
            "{} replayed: {} as predicted, {} not contradicted, {}; {:.2} s",
            count(self.verdicts.len(), "test"),
            self.with(Agreement::Agrees),
            self.with(Agreement::Allowed),
            count(self.with(Agreement::Diverges), "divergence"),
            self.seconds
        );
        text
    }

    fn report(&self) -> ReplayReport<'_> {
        ReplayReport {
            schema: suite::SCHEMA,
            native: true,
            tests: self.verdicts.len(),
            not_run: self.not_run,
            agreed: self.with(Agreement::Agrees),
            not_contradicted: self.with(Agreement::Allowed),
            branches: ComparedBranches {
                compared: self.number(|verdict| verdict.branches.compared),
                differing: self.number(|verdict| verdict.branches.difference.is_some()),
            },
            divergences: self.divergences().map(Verdict::report).collect(),
            seconds: self.seconds,
        }
    }
}

fn count(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}
