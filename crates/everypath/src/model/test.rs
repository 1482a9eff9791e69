//! `everypath model test`: test cases from a model.

use super::explore::BoundArguments;
use super::live::ModelPage;
use super::load::{ModelArguments, SolvingArguments, load, write, write_json};
use super::page::{self, Shown, tables, write_page};
use crate::Outcome;
use crate::error::Error;
use crate::live::LiveArguments;
use crate::output::{say, say_json};
use ::explore::Strategy;
use ::model::Model;
use ::model::condition;
use ::model::execution::Executor;
use ::model::exploration::{End, Tree};
use ::model::goal::{self, Coverage, Tracker};
use ::model::mutation::{self, Grounds, Mutant};
use ::model::results::{Covered, Generated, Missed, Mutation, SCHEMA};
use ::model::testcase::{self, Data, ScriptError, TestCase, Timing, ttcn};
use ::model::until::Until;
use ::model::walk;
use ::report::document;
use base::{OneLine, Stop};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Makes test cases that cover a model.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  everypath model test grid.iosts -o tests/
  everypath model test grid.iosts --cover pairs --height 25
  everypath model test grid.iosts --cover 'purpose:request,*,alarm,reset'
  everypath model test grid.iosts --style walk --until 'edge_coverage(100) || length(500)'
  everypath model test grid.iosts --export python,shell,chart

Each test is a JSON file; tests.ttcn holds them all as a TTCN-3 module, and
report.html shows them as sequence charts. Tests of
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
    /// Writes each test in these forms too: python, a script that needs nothing but
    /// Python; shell, one for bash and awk; chart, a sequence chart for Mermaid.
    #[arg(long, value_name = "FORMS", value_delimiter = ',')]
    export: Vec<Form>,
    /// Prints one JSON object on standard output.
    #[arg(long)]
    json: bool,
}

/// A form that tests are exported in.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Form {
    /// A script that runs the test.
    Python,
    /// The same for bash.
    Shell,
    /// A sequence chart.
    Chart,
}

impl Form {
    fn extension(self) -> &'static str {
        match self {
            Form::Python => "py",
            Form::Shell => "sh",
            Form::Chart => "mmd",
        }
    }
}

/// How many tests there are.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Style {
    /// Many, each as short as its goals allow.
    Tests,
    /// One, as long as it takes; more only where the model comes to an end.
    Walk,
}

/// What tests should cover, and how far to search for them.
#[derive(clap::Args)]
pub struct GoalArguments {
    /// What to cover: mutants (every transition, and faults of the model that tests
    /// can tell from it), mcdc (every part of a condition where it decides),
    /// boundaries (of every comparison), data-pairs (classes of the values of a message,
    /// two by two), requirements (transitions with @req), transitions, states, pairs,
    /// transition:NAME, state:NAME or purpose:NAME,*,NAME|NAME, where * stands for any
    /// transitions and *!NAME for any but this one.
    #[arg(long, value_name = "GOALS", default_value = "mutants", value_parser = |s: &str| s.parse::<Coverage>())]
    pub cover: Coverage,
    /// Many tests, each as short as its goals allow, or one long walk.
    #[arg(long, value_name = "STYLE", default_value = "tests")]
    style: Style,
    /// When a walk, or testing online, is long enough, as GraphWalker has it:
    /// edge_coverage(100), vertex_coverage(100), requirement_coverage(100),
    /// reached_edge(NAME), reached_vertex(NAME), length(50), never, && and ||.
    #[arg(long, value_name = "CONDITION", value_parser = |s: &str| s.parse::<Until>())]
    pub until: Option<Until>,
    #[command(flatten)]
    pub bounds: BoundArguments,
    #[command(flatten)]
    pub solving: SolvingArguments,
    #[command(flatten)]
    pub live: LiveArguments,
}

/// Faults that are listed when no test finds them.
const SURVIVORS: usize = 10;

/// States that are explored to find faults from, and for those that do not show there.
const DEEP: usize = 300;
const FURTHER: usize = 3000;

/// Transitions of a model that can be explored breadth first, and locations of its automata
/// together.
const SMALL: usize = 64;
const FEW_LOCATIONS: usize = 1000;

/// How long paths are turned into tests after the exploration was stopped, by Ctrl-C
/// or because the time is over: what was explored should not be lost, and the user
/// should not wait.
const FINISHING: Duration = Duration::from_millis(500);

/// Tests, and what they come from.
pub struct Made {
    pub tree: Tree,
    pub goals: Tracker,
    pub tests: Vec<TestCase>,
    pub mutation: Option<Mutation>,
    /// Goals about values, and those that no test reaches.
    pub values: (usize, Vec<Missed>),
}

impl GoalArguments {
    /// The mutants that tests should kill.
    pub fn mutants(&self, model: &Model) -> Vec<Mutant> {
        match self.cover {
            Coverage::Mutants if self.style == Style::Tests => mutation::mutants(model),
            _ => Vec::new(),
        }
    }

    /// Makes tests until the executor's token is set; each is given to `keep` when it
    /// is finished.
    pub fn make<'m>(
        &self,
        executor: &mut Executor<'m, '_>,
        mutants: &'m [Mutant],
        live: &mut ModelPage,
        mut keep: impl FnMut(&TestCase) -> Result<(), Error>,
    ) -> Result<Made, Error> {
        let model = executor.model;
        let goals = goal::goals(model, &self.cover).map_err(Error::Goal)?;
        let mut goals = Tracker::new(goals);
        if self.style == Style::Walk {
            return self.walk(executor, goals, live, keep);
        }
        if self.until.is_some() {
            let message = "--until is for --style walk and for --online";
            return Err(Error::Usage(message.to_owned()));
        }
        goals.rule_out(executor);
        // Breadth first gives the shortest tests; where that is too expensive, go
        // straight for what is not covered.
        let strategy = match is_small(model) {
            true => Strategy::Bfs,
            false => Strategy::CoverageNew,
        };
        let mut bounds = self.bounds.bounds(strategy, self.solving.seed);
        // Whatever follows a covered state follows the covering one as well. Only what
        // came before differs, which matters to pairs and purposes alone.
        bounds.inclusion |= !matches!(self.cover, Coverage::Pairs | Coverage::Purpose(_));
        let tree = live.explore(executor, &bounds, Some(&mut goals));
        if tree.end == End::Stopped {
            executor.set_stop(&Stop::new(Some(FINISHING), None));
        }
        let mut data = Data::new(self.solving.seed);
        let mut tests = testcase::test_cases(executor, &tree, &goals, &mut data, &mut keep)?;
        let about_values = match self.cover {
            Coverage::Conditions => condition::decisions(model),
            Coverage::Boundaries => condition::boundaries(model),
            Coverage::DataPairs => condition::data_pairs(model),
            _ => Vec::new(),
        };
        let (mut mutation, mut missed) = (None, Vec::new());
        if self.cover == Coverage::Mutants || !about_values.is_empty() {
            // Faults and values show further down than where the last transition is covered.
            let most = bounds.states;
            bounds.states = most.min(DEEP);
            let deep = live.explore(executor, &bounds, None);
            let (added, data) = (&mut tests, &mut data);
            if self.cover == Coverage::Mutants {
                bounds.states = most.min(FURTHER);
                let grounds = Grounds {
                    trees: &[&tree, &deep],
                    further: &bounds,
                };
                let found = mutation::strengthen(executor, mutants, &grounds, added, data, keep)?;
                mutation = Some(found);
            } else {
                missed = condition::cover(executor, &about_values, &deep, added, data, keep)?;
            }
        }
        let values = (about_values.len(), missed);
        Ok(Made {
            values,
            tree,
            goals,
            tests,
            mutation,
        })
    }

    /// Makes one long walk instead, with as many tests as the model has ends.
    fn walk(
        &self,
        executor: &mut Executor<'_, '_>,
        mut goals: Tracker,
        live: &mut ModelPage,
        keep: impl FnMut(&TestCase) -> Result<(), Error>,
    ) -> Result<Made, Error> {
        if let Coverage::Conditions | Coverage::Boundaries | Coverage::DataPairs = self.cover {
            let message =
                "--style walk is for goals about transitions and states, not about values";
            return Err(Error::Usage(message.to_owned()));
        }
        let until = self.until.clone().unwrap_or(Until::EdgeCoverage(100));
        until
            .check(executor.model)
            .map_err(|error| Error::Usage(error.to_string()))?;
        goals.rule_out(executor);
        let mut data = Data::new(self.solving.seed);
        let tests = walk::walk(executor, &until, &goals.goals, &mut data, keep)?;
        // The page shows a little of the tree; the walk needs none of it.
        let mut bounds = self.bounds.bounds(Strategy::Bfs, self.solving.seed);
        bounds.states = bounds.states.min(DEEP);
        let tree = live.explore(executor, &bounds, None);
        Ok(Made {
            values: (0, Vec::new()),
            tree,
            goals,
            tests,
            mutation: None,
        })
    }
}

/// Whether breadth first comes to an end soon. Automata that have little to do with each other
/// take their steps in all orders, and their locations multiply.
fn is_small(model: &Model) -> bool {
    let states = model.automata.iter().map(|it| it.states.len());
    let locations = states.fold(1usize, usize::saturating_mul);
    model.transitions.len() <= SMALL && locations <= FEW_LOCATIONS
}

pub fn run(arguments: &Arguments, stop: &Stop) -> Result<Outcome, Error> {
    let started = Instant::now();
    let goals = &arguments.goals;
    let stop = goals.bounds.stop(stop);
    let (model, _) = load(&arguments.model)?;
    let (mixed, kept) = goals.solving.start(&arguments.model.file, &model, &stop)?;
    let mutants = goals.mutants(&model);
    let mut executor = Executor::new(&model, mixed);
    executor.set_stop(&stop);
    let tables_before = tables(&model, &executor);
    remove_tests(&arguments.output)?;
    let (file, is_wanted) = (&arguments.model.file, arguments.goals.live.live);
    let mut live = ModelPage::start(is_wanted, file, &arguments.output, &executor, &stop)?;
    let is_timed = model.time.is_some();
    let made = goals.make(&mut executor, &mutants, &mut live, |test| {
        if !is_timed {
            export(arguments, &model, test, &Timing::default())?;
        }
        let file = arguments.output.join(format!("{}.json", test.name));
        write_json(&file, &test.to_file(&model))
    })?;
    if is_timed && !arguments.export.is_empty() {
        if executor.stop().is_set() {
            executor.set_stop(&Stop::new(Some(FINISHING), None));
        }
        for test in &made.tests {
            let timing = Timing::of(&mut executor, test);
            export(arguments, &model, test, &timing)?;
        }
    }
    let module = ttcn::module(&model, &made.tests);
    write(&arguments.output.join("tests.ttcn"), &module)?;
    kept.save(&mut executor.mixed)?;
    let generated = result(&model, &made, started.elapsed());
    let missed = generated.missed.iter().map(|it| document::Missed {
        goal: it.goal.clone(),
        reason: it.reason.clone(),
    });
    let shown = Shown {
        title: arguments.model.file.one_line().into_owned(),
        taken: taken(&model, &made.tests),
        tree: Some(&made.tree),
        tests: made.tests.iter().map(|it| page::made(&model, it)).collect(),
        missed: missed.collect(),
        tables_before,
        seconds: generated.seconds,
    };
    write_page(&executor, &arguments.output, shown.clone())?;
    match arguments.json {
        true => say_json(&generated)?,
        false => say(&summary(&generated, &arguments.output))?,
    }
    live.finish(&executor, shown)?;
    Ok(match generated.missed.is_empty() {
        true => Outcome::Clean,
        false => Outcome::Found,
    })
}

/// Writes a test in the forms that the user wants.
fn export(
    arguments: &Arguments,
    model: &Model,
    test: &TestCase,
    timing: &Timing,
) -> Result<(), Error> {
    let refused =
        |error: ScriptError| Error::Usage(format!("{}: {error}", arguments.model.file.one_line()));
    for form in &arguments.export {
        let text = match form {
            Form::Python => test.to_python(model, timing).map_err(refused)?,
            Form::Shell => test.to_shell(model, timing).map_err(refused)?,
            Form::Chart => test.to_chart(model),
        };
        let name = format!("{}.{}", test.name, form.extension());
        write(&arguments.output.join(name), &text)?;
    }
    Ok(())
}

/// By transition: whether a test takes it.
fn taken(model: &Model, tests: &[TestCase]) -> Vec<bool> {
    let mut taken = vec![false; model.transitions.len()];
    let steps = tests.iter().flat_map(|test| &test.steps);
    for step in steps.filter_map(|step| step.step) {
        for number in step.transitions() {
            taken[number] = true;
        }
    }
    taken
}

fn result(model: &Model, made: &Made, time: Duration) -> Generated {
    let mut missed = testcase::missed(model, &made.tree, &made.goals, &made.tests);
    let (about_values, values_missed) = &made.values;
    missed.extend(values_missed.iter().cloned());
    let total = made.goals.goals.len() + about_values;
    Generated {
        schema: SCHEMA,
        outcome: made.tree.end,
        tests: made.tests.len(),
        goals: Covered {
            covered: total - missed.len(),
            total,
        },
        missed,
        requirements: testcase::traced(model, &made.tests),
        score: made.mutation.as_ref().map(Mutation::score),
        mutation: made.mutation.clone(),
        states: made.tree.nodes.len(),
        seconds: time.as_secs_f64(),
    }
}

fn summary(generated: &Generated, folder: &Path) -> String {
    let tests = match generated.tests {
        1 => "1 test".to_owned(),
        number => format!("{number} tests"),
    };
    let Covered { covered, total } = generated.goals;
    let mut lines = vec![format!(
        "{tests} in {}; {covered} of {total} goals covered",
        folder.one_line()
    )];
    let missed = generated.missed.iter();
    lines.extend(missed.map(|it| format!("not covered: {}: {}", it.goal, it.reason)));
    if let Some(mutation) = &generated.mutation {
        lines.extend(mutation_lines(mutation));
    }
    for (requirement, tests) in &generated.requirements {
        let tests = match tests.is_empty() {
            true => "no test".to_owned(),
            false => tests.join(", "),
        };
        lines.push(format!("requirement {requirement}: {tests}"));
    }
    lines.join("\n")
}

fn mutation_lines(mutation: &Mutation) -> Vec<String> {
    let Mutation {
        mutants,
        killed,
        equivalent,
        alive,
    } = mutation;
    let mut lines = vec![format!(
        "mutation score {:.1}%: {killed} of {mutants} faults found, {equivalent} proved to make no \
         difference, {} unknown",
        mutation.score(),
        alive.len()
    )];
    let shown = alive.iter().take(SURVIVORS);
    lines.extend(shown.map(|it| format!("not found: {}", it.fault)));
    if alive.len() > SURVIVORS {
        lines.push(format!(
            "and {} others, see --json",
            alive.len() - SURVIVORS
        ));
    }
    lines
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
            let (number, extension) = name.strip_prefix("test")?.split_once('.')?;
            let is_ours = ["json", "py", "sh", "mmd"].contains(&extension);
            number.parse::<u32>().ok().filter(|_| is_ours)
        });
        if number.is_some() {
            let file = entry.path();
            std::fs::remove_file(&file).map_err(Error::writing(&file))?;
        }
    }
    Ok(())
}
