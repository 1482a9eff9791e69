//! `everypath model run`: tests against a real system.

use super::live::ModelPage;
use super::load::{ModelArguments, load, text_of, write};
use super::page::{STATES, Shown, ran, tables, write_page};
use super::test::GoalArguments;
use crate::Outcome;
use crate::error::Error;
use crate::output::{say, say_json};
use crate::solve::seconds;
use ::explore::Strategy;
use ::model::execution::Executor;
use ::model::exploration::{self, Tree};
use ::model::goal;
use ::model::mutation::Mutant;
use ::model::results::{self, SCHEMA};
use ::model::runner::{OnlinePlan, Report, Tested, Time, Verdict, run_online, run_test};
use ::model::system::Source;
use ::model::testcase::{TestCase, TestFile};
use ::model::{CommandLine, Model};
use base::{OneLine, Stop};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use suite::{JunitCase, JunitOutcome, junit};

/// Runs tests against a system.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  everypath model run grid.iosts --tests tests/ --sut ./controller
  everypath model run grid.iosts --online --sut tcp://localhost:7000 --steps 500
  everypath model run grid.iosts --online --sut ./controller --cover 'purpose:request,*,alarm'

The system reads {\"channel\": \"getmeas\", \"values\": [123]} from its standard
input and writes such lines to its standard output. Without --tests, tests are
made on the spot.

With -o, report.html shows the run and junit.xml is for build servers.
--max-time is for the whole command; tests that are made on the spot take at most
half of it.

Exit status: 0 every test passed; 1 one failed, or was inconclusive; 2 nothing
could be run.")]
pub struct Arguments {
    #[command(flatten)]
    model: ModelArguments,
    /// The tests, as `everypath model test` wrote them.
    #[arg(long, value_name = "DIR", conflicts_with = "online")]
    tests: Option<PathBuf>,
    /// The system: a command, tcp://HOST:PORT or http://HOST:PORT.
    #[arg(long, value_name = "SYSTEM", value_parser = |s: &str| s.parse::<Source>())]
    sut: Source,
    /// A command that serves the address of --sut, started anew for each test.
    #[arg(long, value_name = "COMMAND", value_parser = |s: &str| s.parse::<CommandLine>())]
    start: Option<CommandLine>,
    /// Chooses inputs online, as the system answers; with --cover purpose:…,
    /// transition:NAME or state:NAME, those that lead there.
    #[arg(long)]
    online: bool,
    /// How many messages an online test has.
    #[arg(long, value_name = "N", default_value_t = 100)]
    steps: usize,
    /// How many seconds of silence count as quiescence.
    #[arg(long, value_name = "SECONDS", default_value = "1", value_parser = seconds)]
    timeout: Duration,
    #[command(flatten)]
    goals: GoalArguments,
    /// How many seconds the system may take to start, before silence counts.
    #[arg(long, value_name = "SECONDS", default_value = "0", value_parser = seconds)]
    ready: Duration,
    /// How exactly it is known when a message was sent, in seconds; for models with clocks.
    #[arg(long, value_name = "SECONDS", default_value = "0.05", value_parser = seconds)]
    tolerance: Duration,
    /// Lets time pass by messages on the channel `delay` that the system gets, rather than for
    /// real; for models with clocks.
    #[arg(long, conflicts_with = "tolerance")]
    simulated: bool,
    /// Fails a system that prints a line which is no message; else such lines are kept
    /// beside the trace.
    #[arg(long)]
    strict: bool,
    /// Runs no more tests once one has failed.
    #[arg(long)]
    fail_fast: bool,
    /// Where report.html and junit.xml go.
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Prints one JSON object on standard output.
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments, stop: &Stop) -> Result<Outcome, Error> {
    let goals = &arguments.goals;
    let started = Instant::now();
    let stop = goals.bounds.stop(stop);
    let (model, _) = load(&arguments.model)?;
    let (mixed, kept) = goals.solving.start(&arguments.model.file, &model, &stop)?;
    let mutants = goals.mutants(&model);
    let mut executor = Executor::new(&model, mixed);
    let before = tables(&model, &executor);
    let folder = arguments.output.clone().unwrap_or_default();
    let (file, is_wanted) = (&arguments.model.file, goals.live.live);
    let mut live = ModelPage::start(is_wanted, file, &folder, &executor, &stop)?;
    let (tests, tree) = tests(arguments, &mut executor, &mutants, &mut live, &stop)?;
    executor.set_stop(&stop);
    let mut verdicts = Verdicts::new(arguments, &model);
    let tested = Tested {
        source: arguments.sut.clone(),
        server: arguments.start.clone(),
        timeout: arguments.timeout,
        ready: arguments.ready,
        is_strict: arguments.strict,
        time: match arguments.simulated {
            true => Time::Simulated,
            false => Time::Real(arguments.tolerance),
        },
    };
    if arguments.online {
        let report = run_online(&mut executor, &tested, &plan(arguments, &model)?);
        verdicts.add(report)?;
    }
    for test in &tests {
        let report = run_test(&mut executor, test, &tested);
        let failed = report.verdict == Verdict::Fail;
        verdicts.add(report)?;
        if failed && arguments.fail_fast {
            break;
        }
    }
    if arguments.output.is_some() || is_wanted {
        let tree = tree.unwrap_or_else(|| shown_tree(arguments, &mut executor));
        let reports = &verdicts.reports;
        let is_taken = |number: usize| reports.iter().any(|report| report.taken[number]);
        let shown = Shown {
            title: verdicts.title.clone(),
            taken: (0..model.transitions.len()).map(is_taken).collect(),
            tree: Some(&tree),
            tests: reports.iter().map(|it| ran(&model, it)).collect(),
            missed: Vec::new(),
            tables_before: before,
            seconds: started.elapsed().as_secs_f64(),
        };
        if let Some(folder) = &arguments.output {
            write_page(&executor, folder, shown.clone())?;
        }
        live.finish(&executor, shown)?;
    }
    kept.save(&mut executor.mixed)?;
    verdicts.finish()
}

/// What an online test is there for.
fn plan(arguments: &Arguments, model: &Model) -> Result<OnlinePlan, Error> {
    let goals = &arguments.goals;
    if let Some(until) = &goals.until {
        until
            .check(model)
            .map_err(|error| Error::Usage(error.to_string()))?;
    }
    Ok(OnlinePlan {
        messages: arguments.steps,
        seed: goals.solving.seed,
        until: goals.until.clone(),
        purpose: goal::purpose(model, &goals.cover).map_err(Error::Goal)?,
    })
}

/// The tests to run, and the tree they come from when they were made now.
fn tests<'m>(
    arguments: &Arguments,
    executor: &mut Executor<'m, '_>,
    mutants: &'m [Mutant],
    live: &mut ModelPage,
    stop: &Stop,
) -> Result<(Vec<TestCase>, Option<Tree>), Error> {
    if arguments.online {
        return Ok((Vec::new(), None));
    }
    let Some(folder) = &arguments.tests else {
        // The other half of the time is for running them.
        let limit = arguments.goals.bounds.max_time;
        executor.set_stop(&stop.within(limit.map(|time| time / 2)));
        let made = arguments.goals.make(executor, mutants, live, |_| Ok(()))?;
        return Ok((made.tests, Some(made.tree)));
    };
    let tests = read_tests(executor.model, folder)?;
    match tests.is_empty() {
        true => Err(Error::Usage(format!(
            "there are no tests in {}",
            folder.one_line()
        ))),
        false => Ok((tests, None)),
    }
}

/// The tree of the model, as far as a page shows it, where tests came from
/// elsewhere.
fn shown_tree(arguments: &Arguments, executor: &mut Executor<'_, '_>) -> Tree {
    let goals = &arguments.goals;
    let mut bounds = goals.bounds.bounds(Strategy::Bfs, goals.solving.seed);
    bounds.states = bounds.states.min(STATES);
    exploration::explore(executor, &bounds, None)
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
        let written: TestFile =
            serde_json::from_str(&text).map_err(|error| Error::content(file.one_line(), error))?;
        let test = TestCase::from_file(model, &written)
            .map_err(|error| Error::content(file.one_line(), error))?;
        tests.push(test);
    }
    Ok(tests)
}

fn junit_cases(model: &Model, reports: &[Report]) -> Vec<JunitCase> {
    let cases = reports.iter().map(|report| JunitCase {
        name: report.name.clone(),
        outcome: match report.verdict {
            Verdict::Pass => JunitOutcome::Passed,
            Verdict::Fail => JunitOutcome::Failed(report.reason.clone()),
            Verdict::Inconclusive if report.diverged => {
                JunitOutcome::Skipped(report.reason.clone())
            }
            Verdict::Inconclusive => JunitOutcome::Broken(report.reason.clone()),
        },
        time: report.time,
        output: told_parts(report).join("\n"),
        properties: {
            let requirements = report.requirements(model).into_iter();
            let named = requirements.map(|it| ("requirement".to_owned(), it));
            named.collect()
        },
    });
    cases.collect()
}

/// Verdicts as they come: each is printed and in `junit.xml` before the next test
/// begins, so that a run that is killed has told what it knew.
struct Verdicts<'a> {
    arguments: &'a Arguments,
    model: &'a Model,
    title: String,
    reports: Vec<Report>,
}

impl<'a> Verdicts<'a> {
    fn new(arguments: &'a Arguments, model: &'a Model) -> Verdicts<'a> {
        Verdicts {
            arguments,
            model,
            title: arguments.model.file.one_line().into_owned(),
            reports: Vec::new(),
        }
    }

    fn add(&mut self, report: Report) -> Result<(), Error> {
        if !self.arguments.json {
            tell(&report)?;
        }
        self.reports.push(report);
        match &self.arguments.output {
            Some(folder) => {
                let cases = junit_cases(self.model, &self.reports);
                write(&folder.join("junit.xml"), &junit(&self.title, &cases))
            }
            None => Ok(()),
        }
    }

    fn finish(&self) -> Result<Outcome, Error> {
        let count = |verdict| {
            let reports = self.reports.iter();
            reports.filter(|report| report.verdict == verdict).count()
        };
        let verdicts = results::Verdicts {
            schema: SCHEMA,
            pass: count(Verdict::Pass),
            fail: count(Verdict::Fail),
            inconclusive: count(Verdict::Inconclusive),
            tests: self
                .reports
                .iter()
                .map(|it| it.to_result(self.model))
                .collect(),
        };
        match self.arguments.json {
            true => say_json(&verdicts)?,
            false => say(&format!(
                "{} pass, {} fail, {} inconclusive",
                verdicts.pass, verdicts.fail, verdicts.inconclusive
            ))?,
        }
        Ok(match verdicts.pass == self.reports.len() {
            true => Outcome::Clean,
            false => Outcome::Found,
        })
    }
}

/// Lines of standard error that are told with a verdict.
const COMPLAINTS: usize = 5;

fn tell(report: &Report) -> Result<(), Error> {
    let Report { name, verdict, .. } = report;
    if *verdict == Verdict::Pass {
        return say(&format!("{name}: {verdict}"));
    }
    say(&format!("{name}: {verdict}: {}", report.reason))?;
    for message in &report.trace {
        say(&format!("  {message}"))?;
    }
    let complaints: Vec<&str> = report.stderr.lines().collect();
    for line in &complaints[complaints.len().saturating_sub(COMPLAINTS)..] {
        say(&format!("  standard error: {line}"))?;
    }
    Ok(())
}

/// Everything that came of a test: the trace, lines that are no messages, and standard
/// error.
fn told_parts(report: &Report) -> Vec<String> {
    let mut lines = report.trace.clone();
    lines.extend(report.log.iter().map(|line| format!("no message: {line}")));
    let complaints = report.stderr.lines();
    lines.extend(complaints.map(|line| format!("standard error: {line}")));
    lines
}
