//! `everypath model run`: tests against a real system.

use super::load::{ModelArguments, load, text_of, write};
use super::test::GoalArguments;
use crate::Outcome;
use crate::error::Error;
use crate::interrupt;
use crate::output::say;
use crate::solve::seconds;
use ::explore::Strategy;
use ::model::Model;
use ::model::execution::Executor;
use ::model::exploration::{self, Tree};
use ::model::html::{NODES, Page, page};
use ::model::runner::{Report, Verdict, not_run, run_online, run_test};
use ::model::system::Source;
use ::model::testcase::TestCase;
use mixed::oracle::Stop;
use serde_json::{Value as Json, json};
use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::{Duration, Instant};
use suite::{JunitCase, JunitOutcome, junit};

/// Runs tests against a system.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  everypath model run grid.iosts --tests tests/ --sut ./controller
  everypath model run grid.iosts --online --sut tcp://localhost:7000 --steps 500

The system reads {\"channel\": \"getmeas\", \"values\": [123]} from its standard
input and writes such lines to its standard output. Without --tests, tests are
made on the spot.

With -o, report.html shows the run and junit.xml is for build servers.

Exit status: 0 every test passed; 1 one failed, or was inconclusive; 2 nothing
could be run.")]
pub struct Arguments {
    #[command(flatten)]
    model: ModelArguments,
    /// The tests, as `everypath model test` wrote them.
    #[arg(long, value_name = "DIR", conflicts_with = "online")]
    tests: Option<PathBuf>,
    /// The system: a command, or tcp://HOST:PORT.
    #[arg(long, value_name = "SYSTEM", value_parser = |s: &str| s.parse::<Source>())]
    sut: Source,
    /// Chooses inputs on the fly.
    #[arg(long)]
    online: bool,
    /// How many messages an online test has.
    #[arg(long, value_name = "N", default_value_t = 100)]
    steps: usize,
    /// How many seconds of silence count as an answer.
    #[arg(long, value_name = "SECONDS", default_value = "1", value_parser = seconds)]
    timeout: Duration,
    #[command(flatten)]
    goals: GoalArguments,
    /// Where report.html and junit.xml go.
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Prints one JSON object on standard output.
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Result<Outcome, Error> {
    interrupt::listen()?;
    let started = Instant::now();
    let (model, _) = load(&arguments.model)?;
    // The time is for making tests, not for running them.
    let makes_tests = Rc::new(Cell::new(true));
    let (still, out_of_time) = (makes_tests.clone(), arguments.goals.bounds.stop(started));
    let stop: Stop = Rc::new(move || interrupt::raised() || still.get() && out_of_time());
    let solving = &arguments.goals.solving;
    let (mixed, kept) = solving.start(&arguments.model.file, &model, &stop)?;
    let mut executor = Executor::new(&model, mixed);
    let before = tables(&model, &executor);
    let (tests, tree) = tests(arguments, &model, &mut executor, started)?;
    makes_tests.set(false);
    let mut reports = Vec::new();
    if arguments.online {
        let (steps, seed) = (arguments.steps, arguments.goals.solving.seed);
        let report = run_online(
            &mut executor,
            &arguments.sut,
            arguments.timeout,
            steps,
            seed,
            &interrupt::raised,
        );
        reports.push(report);
    }
    for test in &tests {
        reports.push(match interrupt::raised() {
            true => not_run(&model, test),
            false => run_test(&mut executor, test, &arguments.sut, arguments.timeout),
        });
    }
    if let Some(folder) = &arguments.output {
        let tables: Vec<(String, String, String)> = before
            .into_iter()
            .zip(tables(&model, &executor))
            .map(|((name, before), (_, after))| (name, before, after))
            .collect();
        let tree = tree.unwrap_or_else(|| shown_tree(arguments, &mut executor, started));
        let title = arguments.model.file.display().to_string();
        let shown = Page {
            title: &title,
            reports: &reports,
            tree: Some(&tree),
            tables: &tables,
        };
        write(&folder.join("report.html"), &page(&executor, &shown))?;
        write(
            &folder.join("junit.xml"),
            &junit(&title, &junit_cases(&reports)),
        )?;
    }
    kept.save(&mut executor.mixed)?;
    told(arguments, &model, &reports)?;
    Ok(
        match reports.iter().all(|report| report.verdict == Verdict::Pass) {
            true => Outcome::Clean,
            false => Outcome::Found,
        },
    )
}

/// The tests to run, and the tree they come from when they were made now.
fn tests(
    arguments: &Arguments,
    model: &Model,
    executor: &mut Executor<'_, '_>,
    started: Instant,
) -> Result<(Vec<TestCase>, Option<Tree>), Error> {
    if arguments.online {
        return Ok((Vec::new(), None));
    }
    let Some(folder) = &arguments.tests else {
        let made = arguments.goals.generate(model, executor, started)?;
        return Ok((made.tests, Some(made.tree)));
    };
    let tests = read_tests(model, folder)?;
    match tests.is_empty() {
        true => Err(Error::Usage(format!(
            "there are no tests in {}",
            folder.display()
        ))),
        false => Ok((tests, None)),
    }
}

/// The tree of the model, as far as a page shows it, where tests came from
/// elsewhere.
fn shown_tree(arguments: &Arguments, executor: &mut Executor<'_, '_>, started: Instant) -> Tree {
    let goals = &arguments.goals;
    let mut bounds = goals.bounds.bounds(Strategy::Bfs, goals.solving.seed);
    bounds.states = bounds.states.min(NODES);
    let stop = goals.bounds.stop(started);
    let _watch = goals.bounds.watch(started, executor);
    exploration::explore(executor, &bounds, None, || stop())
}

fn read_tests(model: &Model, folder: &Path) -> Result<Vec<TestCase>, Error> {
    let entries = std::fs::read_dir(folder)
        .and_then(|entries| entries.collect::<Result<Vec<_>, _>>())
        .map_err(Error::reading(folder))?;
    let mut files: Vec<PathBuf> = entries.into_iter().map(|entry| entry.path()).collect();
    files.retain(|file| {
        file.extension()
            .is_some_and(|extension| extension == "json")
    });
    files.sort();
    let mut tests = Vec::new();
    for file in files {
        let text = text_of(&file)?;
        let wrong = |reason: String| Error::content(file.display(), reason);
        let json: Json = serde_json::from_str(&text).map_err(|error| wrong(error.to_string()))?;
        tests.push(TestCase::from_json(model, &json).map_err(wrong)?);
    }
    Ok(tests)
}

fn tables(model: &Model, executor: &Executor<'_, '_>) -> Vec<(String, String)> {
    let functions = model.functions.iter();
    functions
        .map(|function| {
            let text = ::model::functions::table_text(function, executor.mixed.oracle());
            (function.name.clone(), text)
        })
        .collect()
}

fn junit_cases(reports: &[Report]) -> Vec<JunitCase> {
    let cases = reports.iter().map(|report| JunitCase {
        name: report.name.clone(),
        outcome: match report.verdict {
            Verdict::Pass => JunitOutcome::Passed,
            Verdict::Fail => JunitOutcome::Failed(report.reason.clone()),
            Verdict::Inconclusive if report.strayed => JunitOutcome::Skipped(report.reason.clone()),
            Verdict::Inconclusive => JunitOutcome::Broken(report.reason.clone()),
        },
        time: report.time,
        output: report.trace.join("\n"),
    });
    cases.collect()
}

fn told(arguments: &Arguments, model: &Model, reports: &[Report]) -> Result<(), Error> {
    let count = |verdict| {
        reports
            .iter()
            .filter(|report| report.verdict == verdict)
            .count()
    };
    let (pass, fail) = (count(Verdict::Pass), count(Verdict::Fail));
    let inconclusive = count(Verdict::Inconclusive);
    if arguments.json {
        let reports: Vec<Json> = reports.iter().map(|report| report.to_json(model)).collect();
        let object = json!({"schema": 1, "pass": pass, "fail": fail,
            "inconclusive": inconclusive, "tests": reports});
        return say(&format!("{object:#}"));
    }
    for report in reports {
        match report.verdict {
            Verdict::Pass => say(&format!("{}: pass", report.name))?,
            Verdict::Fail | Verdict::Inconclusive => {
                say(&format!(
                    "{}: {}: {}",
                    report.name,
                    report.verdict.name(),
                    report.reason
                ))?;
                for message in &report.trace {
                    say(&format!("  {message}"))?;
                }
            }
        }
    }
    say(&format!(
        "{pass} pass, {fail} fail, {inconclusive} inconclusive"
    ))
}
