//! `everypath model test`: test cases from a model.

use super::explore::BoundArguments;
use super::load::{ModelArguments, SolvingArguments, load, write};
use crate::Outcome;
use crate::error::Error;
use crate::interrupt;
use crate::output::say;
use ::explore::Strategy;
use ::model::Model;
use ::model::execution::Executor;
use ::model::exploration::{self, Tree};
use ::model::goal::{self, Coverage, Tracker};
use ::model::testcase::{self, TestCase};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Makes test cases that cover a model.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  everypath model test grid.iosts -o tests/
  everypath model test grid.iosts --cover pairs --height 25
  everypath model test grid.iosts --cover 'purpose:request,*,alarm,reset'

Each test is a JSON file; tests.ttcn holds them all for people to read. Tests of
an earlier run in the same directory, test001.json and so on, are removed.

Exit status: 0 every goal is covered; 1 some are not, with the reasons; 2 there
are no tests.")]
pub struct Arguments {
    #[command(flatten)]
    model: ModelArguments,
    #[command(flatten)]
    pub goals: GoalArguments,
    /// Where the tests go.
    #[arg(short, long, value_name = "DIR", default_value = "tests")]
    output: PathBuf,
    /// Prints one JSON object on standard output.
    #[arg(long)]
    json: bool,
}

/// What tests should cover, and how far to look for them.
#[derive(clap::Args)]
pub struct GoalArguments {
    /// What to cover: transitions, states, pairs, transition:NAME, state:NAME or
    /// purpose:NAME,*,NAME, where * stands for any transitions.
    #[arg(long, value_name = "GOALS", default_value = "transitions", value_parser = |s: &str| s.parse::<Coverage>())]
    pub cover: Coverage,
    #[command(flatten)]
    pub bounds: BoundArguments,
    #[command(flatten)]
    pub solving: SolvingArguments,
}

/// Transitions of a model that can be explored breadth first.
const SMALL: usize = 64;

/// Tests, and what they come from.
pub struct Generated {
    pub tree: Tree,
    pub goals: Tracker,
    pub tests: Vec<TestCase>,
}

impl GoalArguments {
    pub fn generate(
        &self,
        model: &Model,
        executor: &mut Executor<'_, '_>,
        started: Instant,
    ) -> Result<Generated, Error> {
        let goals = goal::goals(model, &self.cover).map_err(Error::Goal)?;
        let mut goals = Tracker::new(goals);
        let _watch = self.bounds.watch(started, executor);
        goals.rule_out(executor);
        // Short tests where that is cheap, a straight way to the goals where not.
        let strategy = match model.transitions.len() <= SMALL {
            true => Strategy::Bfs,
            false => Strategy::CoverageNew,
        };
        let mut bounds = self.bounds.bounds(strategy, self.solving.seed);
        // What a covered state leads to, the other leads to as well; only what was
        // before it differs, which pairs and purposes speak of.
        bounds.inclusion |= !matches!(self.cover, Coverage::Pairs | Coverage::Purpose(_));
        let stop = self.bounds.stop(started);
        let tree = exploration::explore(executor, &bounds, Some(&mut goals), || stop());
        let tests = testcase::test_cases(executor, &tree, &goals);
        Ok(Generated { tree, goals, tests })
    }
}

pub fn run(arguments: &Arguments) -> Result<Outcome, Error> {
    interrupt::listen()?;
    let started = Instant::now();
    let (model, _) = load(&arguments.model)?;
    let goals = &arguments.goals;
    let stop = goals.bounds.stop(started);
    let (mixed, kept) = goals.solving.start(&arguments.model.file, &model, &stop)?;
    let mut executor = Executor::new(&model, mixed);
    let made = arguments.goals.generate(&model, &mut executor, started)?;
    remove_tests(&arguments.output)?;
    let mut ttcn = String::new();
    for test in &made.tests {
        let file = arguments.output.join(format!("{}.json", test.name));
        write(&file, &format!("{:#}\n", test.to_json(&model)))?;
        ttcn += &test.to_ttcn(&model);
        ttcn.push('\n');
    }
    write(&arguments.output.join("tests.ttcn"), &ttcn)?;
    kept.save(&mut executor.mixed)?;
    let missed = testcase::missed(&model, &made.tree, &made.goals);
    let covered = made.goals.goals.len() - missed.len();
    if arguments.json {
        let missed: Vec<_> = missed
            .iter()
            .map(|(goal, reason)| json!({"goal": goal, "reason": reason}))
            .collect();
        let object = json!({"schema": 1, "tests": made.tests.len(),
            "goals": {"covered": covered, "total": made.goals.goals.len()}, "missed": missed,
            "states": made.tree.nodes.len(), "seconds": started.elapsed().as_secs_f64()});
        say(&format!("{object:#}"))?;
    } else {
        let tests = match made.tests.len() {
            1 => "1 test".to_owned(),
            number => format!("{number} tests"),
        };
        say(&format!(
            "{tests} in {}; {covered} of {} goals covered",
            arguments.output.display(),
            made.goals.goals.len()
        ))?;
        for (goal, reason) in &missed {
            say(&format!("not covered: {goal}: {reason}"))?;
        }
    }
    Ok(match missed.is_empty() {
        true => Outcome::Clean,
        false => Outcome::Found,
    })
}

/// Removes the tests that an earlier run left, since `model run` would take them
/// for tests of this one.
fn remove_tests(folder: &Path) -> Result<(), Error> {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Ok(());
    };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let number = name.to_str().and_then(|name| {
            let number = name.strip_prefix("test")?.strip_suffix(".json")?;
            number.parse::<u32>().ok()
        });
        if number.is_some() {
            let file = entry.path();
            std::fs::remove_file(&file).map_err(Error::writing(&file))?;
        }
    }
    Ok(())
}
